import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isAllowedHost, isPublicAddress, webAddress } from '../../../../src/main/adapters/web/addresses'

/** Addresses and whether they are of the public internet; grows by one row per found hole. */
const table: readonly (readonly [address: string, isPublic: boolean])[] = [
  ['8.8.8.8', true], ['1.1.1.1', true], ['93.184.216.34', true], ['2606:4700:4700::1111', true], ['2001:4860:4860::8888', true],
  ['127.0.0.1', false], ['127.1.2.3', false], ['0.0.0.0', false], ['0.1.2.3', false], ['10.0.0.1', false], ['172.16.0.1', false], ['172.31.255.255', false], ['192.168.1.1', false],
  ['169.254.169.254', false], ['169.254.0.1', false], ['100.64.0.1', false], ['100.127.255.255', false], ['224.0.0.1', false], ['239.255.255.255', false], ['255.255.255.255', false], ['240.0.0.1', false],
  ['192.0.0.1', false], ['192.0.2.1', false], ['198.18.0.1', false], ['203.0.113.9', false], ['100.100.100.200', false],
  ['::1', false], ['::', false], ['fe80::1', false], ['fe80::1%eth0', false], ['fc00::1', false], ['fd12:3456::1', false], ['fec0::1', false], ['ff02::1', false], ['fd00:ec2::254', false],
  ['::ffff:127.0.0.1', false], ['::ffff:7f00:1', false], ['::ffff:10.0.0.1', false], ['::ffff:169.254.169.254', false], ['::ffff:8.8.8.8', true],
  ['::127.0.0.1', false], ['::7f00:1', false], ['::8.8.8.8', false],
  ['64:ff9b::7f00:1', false], ['64:ff9b::a9fe:a9fe', false], ['64:ff9b::10.0.0.1', false], ['64:ff9b::8.8.8.8', true], ['64:ff9b:1::8.8.8.8', false], ['64:ff9b:0:0:1:0:808:808', false],
  ['2002:7f00:1::', false], ['2002:a9fe:a9fe::', false], ['2002:0808:0808::1', false], ['2001:0:53aa:64c::1', false], ['2001:db8::1', false], ['100::1', false],
  ['not an address', false], ['', false],
]

test.each(table)('R102 %s is of the public internet: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic)
})

test('R102 no private IPv4 address is public in any of its IPv6 forms', () => {
  const inside = fc.oneof(fc.constant([127, 0]), fc.constant([10, 1]), fc.constant([192, 168]), fc.constant([169, 254]), fc.constant([172, 20]), fc.constant([100, 65]))
  fc.assert(fc.property(inside, fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 255 }), ([first, second], third, fourth) => {
    const dotted = `${first}.${second}.${third}.${fourth}`
    const hex = [(first ?? 0) * 256 + (second ?? 0), third * 256 + fourth].map((part) => part.toString(16)).join(':')
    return [dotted, `::ffff:${dotted}`, `::${dotted}`, `64:ff9b::${hex}`, `64:ff9b:1::${hex}`, `2002:${hex}::1`].every((address) => !isPublicAddress(address))
  }))
})

test('R102 other spellings of an IPv4 address are what they stand for', () => {
  const hosts = ['http://2130706433/', 'http://0x7f.1/', 'http://0177.0.0.1/', 'http://127.1/', 'http://0x7f000001/', 'http://①②⑦.0.0.1/'].map((url) => webAddress(url)?.hostname)
  expect(hosts).toEqual(hosts.map(() => '127.0.0.1'))
})

test('R102 a host is allowed with its port, and a port of the scheme may be left out', () => {
  const allowed = (url: string, ...list: string[]): boolean => isAllowedHost(new URL(url), list)
  expect(allowed('http://localhost:8080/a', 'localhost:8080')).toBe(true)
  expect(allowed('http://LOCALHOST:8080/a', ' Localhost:8080 ')).toBe(true)
  expect(allowed('http://localhost:8080/', 'localhost')).toBe(false)
  expect(allowed('http://localhost:8081/', 'localhost:8080')).toBe(false)
  expect(allowed('https://wiki.corp/', 'wiki.corp')).toBe(true)
  expect(allowed('https://wiki.corp/', 'wiki.corp:443')).toBe(true)
  expect(allowed('http://[::1]:3000/', '[::1]:3000')).toBe(true)
  expect(allowed('http://sub.wiki.corp/', 'wiki.corp')).toBe(false)
  expect(allowed('http://evil/', 'good@evil')).toBe(false)
  expect(allowed('http://evil/', 'evil/path', 'a b', '')).toBe(false)
})

test('R102 only http and https addresses are addresses of the web', () => {
  for (const bad of ['file:///etc/passwd', 'javascript:alert(1)', 'ftp://a/', 'data:text/html,x', '/relative', 'http://', 'gopher://a', '']) expect(webAddress(bad), bad).toBeNull()
  expect(webAddress('  https://example.com/x ')?.href).toBe('https://example.com/x')
})
