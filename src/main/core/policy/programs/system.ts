import type { Call, Judge, Outcome, ProgramTable } from '../shell/call'
import { hasUnknown } from '../shell/marks'
import { allow, ask, deny, join, nothing } from '../shell/outcomes'
import { wordSet } from '../shell/alternatives'
import { touchAll } from '../shell/places'
import { deniedInside } from './traced'

const wordsOf = (call: Call): readonly string[] => call.args.map((arg) => arg.text)

/** Formats, wipes or repartitions disks; a plain file of the project is an image and asks. */
function disk(call: Call): Outcome {
  const isListing = wordsOf(call).some((word) => /^(?:-l|--list|-h|--help|-V|--version)$/u.test(word)) && !wordsOf(call).some((word) => /^-[a-zA-Z]*[aoFzZd]/u.test(word))
  if (isListing) return ask('guard.outside-read', { path: call.args.at(-1)?.shown ?? '' }, true)
  const targets = call.args.filter((arg) => /[/.]/u.test(arg.text) && !arg.text.startsWith('-'))
  const isImage = targets.length > 0 && targets.every((arg) => !arg.text.startsWith('/dev/') && /\.(?:img|iso|raw|ext4|qcow2|fs)$/u.test(arg.text))
  return isImage ? join(ask('guard.fills-disk', { program: call.program }, true), touchAll(call, targets, 'write')) : deny('guard.formats-disk', { program: call.program })
}

/** Turns the machine off; cancelling and asking for help do not. */
function power(call: Call): Outcome {
  return wordsOf(call).some((word) => /^(?:-c|-k|--show|--wtmp-only|-w)$/u.test(word)) ? ask('guard.privilege', { program: call.program }) : deny('guard.power', { program: call.program })
}

function init(call: Call): Outcome {
  return /^[0-6sSqu]$/u.test(call.args[0]?.text ?? '') ? deny('guard.power', { program: call.program }) : ask('guard.privilege', { program: call.program })
}

const unitReading = /^(?:status|show|cat|list-\S+|is-active|is-enabled|is-failed|get-default|--version|help)$/u

function systemctl(call: Call): Outcome {
  const words = wordsOf(call).filter((word) => !word.startsWith('-'))
  const what = words[0] ?? ''
  if (/^(?:poweroff|reboot|halt|kexec|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|rescue|emergency|exit|soft-reboot|isolate|default)$/u.test(what)) return deny('guard.power', { program: call.program })
  if (/^(?:enable|reenable|link|edit|add-wants|add-requires|preset|set-default|set-property|revert|unmask)$/u.test(what)) return deny('guard.schedules', { program: call.program })
  if (what === '' || unitReading.test(what)) return ask('guard.outside-read', { path: call.program }, true)
  return ask('guard.service', { program: call.program, command: what })
}

const service: Judge = (call) => (/^(?:--status-all)$/u.test(call.args[0]?.text ?? '') || call.args[1]?.text === 'status' ? ask('guard.outside-read', { path: call.program }, true) : ask('guard.service', { program: call.program, command: call.args[1]?.shown ?? '' }))

/** `kill`: own jobs may be ended, everything of everybody never, the rest is a question. */
function kill(call: Call): Outcome {
  const words = wordsOf(call)
  if (words.every((word) => /^-(?:l|L|\d*)?$|^--list$/u.test(word)) && words.some((word) => /^(?:-l|-L|--list)$/u.test(word))) return allow('guard.reads')
  const isSignal = (word: string, at: number): boolean => at === 0 && /^-(?:\d{1,2}|[A-Z]+\d*|SIG\w+)$/u.test(word)
  const targets = words.filter((word, at) => !isSignal(word, at) && word !== '--' && !/^-[sn]$|^--(?:signal|timeout)/u.test(word) && !/^-[sn]$|^--signal$/u.test(words[at - 1] ?? ''))
  if (targets.some((word) => /^-1$|^-?0+$/u.test(word))) return isProbe(words) ? allow('guard.reads') : deny('guard.kills-all', { program: call.program })
  if (targets.some((word) => word === '1')) return deny('guard.kills-all', { program: call.program })
  if (isProbe(words)) return allow('guard.reads')
  return targets.length > 0 && targets.every((word) => /^%/u.test(word)) ? allow('guard.ends-job') : ask('guard.kills', { program: call.program, names: call.args.map((arg) => arg.shown).join(' ') })
}

/** `kill -0 PID` only asks whether a process exists. */
function isProbe(words: readonly string[]): boolean {
  return words[0] === '-0' && words.slice(1).every((word) => !/^-?[01]$/u.test(word))
}

/** `pkill`, `killall`, `killall5`, `skill`, `fuser -k`: by name or owner, so they may hit the app itself. */
function killByName(call: Call): Outcome {
  const words = wordsOf(call)
  const ownerAt = words.findIndex((word) => /^(?:-u|-U|--user|--euid|--uid|-G|-g|-s)$/u.test(word))
  const isByOwner = ownerAt >= 0 || words.some((word) => /^-[uU]./u.test(word) || /^--(?:user|euid|uid)=/u.test(word))
  const patterns = words.filter((word, at) => !word.startsWith('-') && !(ownerAt >= 0 && at === ownerAt + 1) && !/^(?:-s|--signal|-o|-y)$/u.test(words[at - 1] ?? ''))
  const isEverything = patterns.some((word) => /^(?:\.|\.\*|\.\+|\^|\$|\[.*\]|)\*?$/u.test(word)) || call.program === 'killall5'
  if (isEverything || (isByOwner && patterns.length === 0)) return deny('guard.kills-all', { program: call.program })
  return patterns.some(hasUnknown) || patterns.length > 0 ? ask('guard.kills', { program: call.program, names: patterns.join(' ') }) : ask('guard.kills', { program: call.program, names: '' })
}

/** Kernel modules and settings. Reading a setting asks, changing one is denied. */
function kernel(call: Call): Outcome {
  if (call.program !== 'sysctl') return deny('guard.kernel', { program: call.program })
  const changes = wordsOf(call).some((word) => /^(?:-w|--write|-p|--load|--system)/u.test(word) || word.includes('='))
  return changes ? deny('guard.kernel', { program: 'sysctl' }) : ask('guard.outside-read', { path: 'sysctl' }, true)
}

/** `crontab -l` shows; everything else plants or removes what runs by itself. */
function crontab(call: Call): Outcome {
  const words = wordsOf(call)
  const isListing = words.includes('-l') && !words.some((word) => /^-[erT]$|^-$/u.test(word))
  return isListing ? ask('guard.outside-read', { path: 'crontab' }, true) : deny('guard.schedules', { program: 'crontab' })
}

const schedules: Judge = (call) => (/^(?:atq|-l|list|print|-q)$/u.test(call.args[0]?.text ?? '') ? ask('guard.outside-read', { path: call.program }, true) : deny('guard.schedules', { program: call.program }))
const accounts: Judge = (call) => deny('guard.accounts', { program: call.program })
const privileged: Judge = (call) => ask('guard.privilege', { program: call.program })
const denyPower: Judge = (call) => deny('guard.power', { program: call.program })

/** `mount` without operands lists; mounting and unmounting change the machine. */
const mount: Judge = (call) => (call.args.length === 0 || wordsOf(call).every((word) => word === '-l') ? ask('guard.outside-read', { path: 'mount' }, true) : join(ask('guard.privilege', { program: call.program }), wordsOf(call).some((word) => /^\/dev\/(?:sd|nvme|vd|hd|mmcblk|dm-|mapper)/u.test(word)) ? deny('guard.device', { path: wordsOf(call).join(' ') }) : nothing))

const firewall: Judge = (call) => (wordsOf(call).some((word) => /^(?:-L|-S|--list|status|list|show)$/u.test(word)) ? ask('guard.outside-read', { path: call.program }, true) : ask('guard.privilege', { program: call.program }))

/** Packages of the system: all of them change the machine. */
const systemPackages: Judge = (call) => join(packagesOf(call), deniedInside(call))

const packagesOf: Judge = (call) => (/^(?:list|search|show|info|-l|-L|-s|-S|-q\w*|policy|depends|rdepends|files|deps|--version|doctor|config|outdated|leaves)$/u.test(call.args[0]?.text ?? '') ? ask('guard.outside-read', { path: call.program }, true) : ask('guard.installs', { program: call.program }))

/** Settings of the desktop and of the user's other programs. */
const desktop: Judge = (call) => (/^(?:get|read|list|list-\S+|query)$/u.test(call.args[0]?.text ?? '') ? ask('guard.outside-read', { path: call.program }, true) : ask('guard.outside-write', { path: call.program }))

/** Opens something with the program that the desktop chooses. */
const opens: Judge = (call) => join({ ...ask('guard.opens', { program: call.program, path: call.args.map((arg) => arg.shown).join(' ') }), hosts: [] }, touchAll(call, call.args.filter((arg) => !/^-|:/u.test(arg.text)), 'read'))

function all(names: string, judge: Judge): ProgramTable {
  return Object.fromEntries([...wordSet(names)].map((name) => [name, judge]))
}

/** Programs that change the machine, its power, users, services or disks. */
export const systemPrograms: ProgramTable = {
  ...all(`
    mkfs mke2fs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mkfs.f2fs mkfs.minix mkfs.jfs mkfs.reiserfs
    mkntfs mkdosfs mkswap newfs wipefs blkdiscard fdisk sfdisk cfdisk gdisk sgdisk parted partprobe hdparm nvme cryptsetup badblocks pvcreate pvremove
    vgremove vgreduce lvremove lvreduce mdadm zpool zfs tune2fs resize2fs e2fsck fsck debugfs diskutil hdiutil dmsetup losetup bcachefs flashrom
    efibootmgr grub-install update-grub bless
  `, disk),
  ...all('shutdown reboot halt poweroff', power), ...all('pm-suspend pm-hibernate kexec rtcwake runlevel0', denyPower),
  init, telinit: init, systemctl, service, 'rc-service': service,
  loginctl: (call) => (/^(?:poweroff|reboot|halt|suspend|hibernate|kill-|terminate-)/u.test(call.args[0]?.text ?? '') ? deny('guard.power', { program: 'loginctl' }) : ask('guard.outside-read', { path: 'loginctl' }, true)),
  kill, pkill: killByName, killall: killByName, killall5: killByName, skill: killByName, slay: killByName, xkill: killByName,
  fuser: (call) => (wordsOf(call).some((word) => /^-\w*k/u.test(word)) ? ask('guard.kills', { program: 'fuser', names: wordsOf(call).join(' ') }) : allow('guard.reads')),
  ...all('insmod modprobe rmmod kldload kextload depmod sysctl kmutil bpftool', kernel),
  crontab, ...all('at batch atrm launchctl schtasks update-rc.d chkconfig anacron incrontab', schedules),
  ...all(`
    useradd adduser usermod userdel deluser groupadd addgroup groupmod groupdel gpasswd passwd chpasswd newusers vipw vigr visudo chsh chfn pwconv grpconv
    dscl dseditgroup sysadminctl pam-auth-update authselect update-ca-certificates update-ca-trust csrutil spctl setenforce nvram
  `, accounts),
  ...all(`
    swapoff swapon umount ip route ifup ifdown nmcli hostnamectl timedatectl localectl networksetup scutil date-set hwclock ntpdate journalctl logrotate
    ldconfig update-alternatives dpkg-reconfigure ulogd auditctl apparmor_parser aa-disable tcpdump tshark wireshark strace ltrace gdb lldb perf dtrace
    bpftrace ptrace gcore reptyr tmux screen dtach systemd-run systemd-analyze machinectl busctl dbus-send gdbus qdbus virsh qemu-system-x86_64 VBoxManage
    multipass lxc lxc-attach incus snap-confine ethtool iw iwconfig rfkill
  `, privileged),
  mount, ...all('iptables ip6tables nft ufw firewall-cmd pfctl', firewall),
  ...all(`
    apt apt-get aptitude dpkg rpm yum dnf zypper pacman yay paru apk emerge brew port snap flatpak nix nix-env nix-shell guix pkg pkg_add choco winget
    scoop apt-key add-apt-repository mas softwareupdate xcode-select conda mamba micromamba asdf mise nvm fnm volta n pyenv rbenv rvm sdk rustup gem cpan
    cpanm luarocks pipx opam ghcup dotnet-install corepack code cursor
  `, systemPackages),
  ...all(`
    gsettings dconf defaults xdg-settings xdg-mime kwriteconfig5 plutil PlistBuddy regedit reg
  `, desktop),
  ...all(`
    open xdg-open gio gnome-open kde-open start explorer sensible-browser x-www-browser firefox google-chrome chromium safari
  `, opens),
}
