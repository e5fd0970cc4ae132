import { expect, test } from 'vitest'
import { refuseWorkspaceRoot } from '../../../../src/main/core/snapshot/workspaceRoot'

test('R80 home, the disk and folders of the system are refused as a workspace; a folder of one’s own is not', () => {
  const refused = ['/', '/home/me', '/home/me/', '/home', '/bin', '/boot/grub', '/dev', '/etc/nginx', '/lib', '/lib64/x', '/libx32', '/proc/1', '/run/user/1000', '/sbin', '/sys', '/usr', '/usr/local', '/usr/share/x', 'C:\\', 'C:\\Windows\\System32', '/System/x']
  const allowed = ['/home/me/project', '/srv/www', '/tmp/x', '/opt/app', '/usr/local/src', '/usr/local/src/x', '/mnt/disk/etc', '/srv/library', '/home/other', 'D:\\work', '/usrlocal']
  expect(refused.filter((path) => refuseWorkspaceRoot(path, '/home/me') === null)).toEqual([])
  expect(allowed.filter((path) => refuseWorkspaceRoot(path, '/home/me') !== null)).toEqual([])
  expect(refuseWorkspaceRoot('C:\\Users\\me', 'C:\\Users\\me')?.code).toBe('snapshot.root-home')
  expect(refuseWorkspaceRoot('/root/project', '/root')).toBe(null)
})
