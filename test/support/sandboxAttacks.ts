/**
 * Ways out of a sandbox, one a row. Each prints ESCAPED when it works; the tests also look at what it would have changed.
 * Variables: OUT a folder of the person outside the project, DATA the app's data folder, APP the app's process number, PORT4 and
 * PORT6 listeners of the machine, LEFT a file in its /tmp, UDP a listening port, SOCKET and ABSTRACT names of sockets outside.
 */
export const attacks: readonly (readonly [string, string])[] = [
  ['a write outside', 'echo x > "$OUT/victim" && echo ESCAPED; echo x > "$OUT/new" && echo ESCAPED; true'],
  ['a write in the folders of the system', 'for d in / /etc /usr /usr/bin /var /opt /srv /boot /lib; do echo x > "$d/countersign-escaped" && echo ESCAPED; done; true'],
  ['a remount', 'mount -o remount,rw /; mount -o remount,bind,rw /; mount -o remount,bind,rw "$OUT"; echo x > "$OUT/new" && echo ESCAPED; true'],
  ['a mount over what is read-only', 'mount -t tmpfs tmpfs "$OUT" && echo ESCAPED; mount --bind . "$OUT" && echo ESCAPED; mount --move . /mnt && echo ESCAPED; true'],
  ['taking a mask away', 'umount /tmp && echo ESCAPED; umount -l "$HOME" && echo ESCAPED; umount .git/hooks && echo ESCAPED; umount .git && echo ESCAPED; true'],
  ['namespaces of its own', 'unshare -Urm true && echo ESCAPED; unshare -U true && echo ESCAPED; unshare -m true && echo ESCAPED; bwrap --ro-bind / / true && echo ESCAPED; true'],
  ['entering the namespaces of others', 'nsenter -t 1 -m true && echo ESCAPED; nsenter -t "$APP" -a true && echo ESCAPED; true'],
  ['chroot', 'mkdir -p jail; chroot jail / && echo ESCAPED; chroot / true && echo ESCAPED; true'],
  ['a device', 'mknod disk b 8 0 && echo ESCAPED; mknod null2 c 1 3 && echo ESCAPED; for d in /dev/vda /dev/sda /dev/nvme0n1 /dev/mem /dev/kmsg; do head -c 1 "$d" && echo ESCAPED; done; true'],
  ['capabilities', 'grep -q "^CapEff:.*[1-9a-f]" /proc/self/status && echo ESCAPED; grep -q "^CapBnd:.*[1-9a-f]" /proc/self/status && echo ESCAPED; true'],
  ['a setuid program', 'grep -q "^NoNewPrivs:.1" /proc/self/status || echo ESCAPED; cp /usr/bin/id myid && chmod u+s myid; chown 1 myid && echo ESCAPED; true'],
  ['a symbolic link in the project', 'ln -s "$OUT/victim" way; echo x > way && echo ESCAPED; ln -s "$OUT" folder; echo x > folder/new && echo ESCAPED; true'],
  ['a hard link to outside', 'ln "$OUT/victim" hard && echo x >> hard && echo ESCAPED; ln /etc/hostname hard2 && echo ESCAPED; true'],
  ['a hard link of what is protected', 'ln .git/config second && echo x >> second && echo ESCAPED; ln .vscode/settings.json third && echo x >> third && echo ESCAPED; true'],
  ['writing what is protected', 'for f in .git/hooks/pre-commit .git/config .git/config.worktree .git/commondir .vscode/settings.json .vscode/tasks.json .mcp.json .envrc .npmrc .gitattributes .gitmodules .husky/pre-commit .github/workflows/ci.yml .claude/settings.json .cursor/mcp.json .idea/x; do (echo x > "$f") && echo ESCAPED; done; true'],
  ['making what is protected anew', 'rm -rf .vscode .mcp.json .husky .claude; mkdir .vscode && echo ESCAPED; echo x > made; mv -f made .mcp.json && echo ESCAPED; cp --remove-destination made .envrc && echo ESCAPED; true'],
  ['other bits for what is protected', 'chmod 777 .husky && echo ESCAPED; touch .mcp.json && echo ESCAPED; truncate -s 9 .npmrc && echo ESCAPED; true'],
  ['a repository moved away and made anew', 'mv .git away && cp -r away .git && echo x > .git/hooks/pre-commit && echo ESCAPED; mv .git/hooks hooks2 && echo ESCAPED; rm -rf .git/hooks && echo ESCAPED; true'],
  ['a parent folder moved away', 'mv .github away && mkdir -p .github/workflows && echo ESCAPED; mv nested away2 && echo ESCAPED; mv nested/inner away3 && echo ESCAPED; echo x > nested/inner/.git/config && echo ESCAPED; true'],
  ['the root folder moved away', 'cd .. && mv project project2 && echo ESCAPED; true'],
  ['an exchange of two names', `perl -e 'mkdir "swap"; my $from = "swap"; for my $name (".git", ".vscode", ".mcp.json") { my $to = $name; syscall(316, -100, $from, -100, $to, 2) == 0 and print "ESCAPED\\n" }'; true`],
  ['settings of git that run programs', 'git config core.fsmonitor ./evil && echo ESCAPED; git config --worktree core.fsmonitor ./evil && echo ESCAPED; git config core.hooksPath . && echo ESCAPED; true'],
  ['the data folder of the app', 'cat "$DATA/secret" && echo ESCAPED; [ -z "$(ls -A "$DATA" 2>/dev/null)" ] || echo ESCAPED; true'],
  ['the home folder', 'cat ~/.ssh/id_ed25519 && echo ESCAPED; cat ~/.aws/credentials && echo ESCAPED; cat ~/.bash_history && echo ESCAPED; grep -q secret ~/.gitconfig && echo ESCAPED; true'],
  ['secrets of the machine', '[ -s /etc/shadow ] && head -c 1 /etc/shadow && echo ESCAPED; cat /etc/ssl/private/* 2>/dev/null | grep -q . && echo ESCAPED; true'],
  ['processes outside', 'kill -0 "$APP" && echo ESCAPED; kill -9 "$APP" && echo ESCAPED; cat "/proc/$APP/environ" && echo ESCAPED; ls "/proc/$APP/root" && echo ESCAPED; true'],
  ['the roots of processes', 'for p in /proc/[0-9]*; do cat "$p/root$DATA/secret" 2>/dev/null && echo ESCAPED; ls "$p/cwd/../data/secret" 2>/dev/null && echo ESCAPED; done; true'],
  ['a descriptor that was left open', 'for f in /proc/[0-9]*/fd/*; do t=$(readlink "$f"); case $t in "$DATA"*|"$OUT"*|/dev/ptmx|*/ptmx) echo ESCAPED "$t";; esac; done; true'],
  ['ptrace of what is outside', 'timeout 5 gdb -p "$APP" -batch 2>&1 | grep -q "^\\[New\\|^0x" && echo ESCAPED; timeout 5 strace -p "$APP" 2>&1 | grep -q attached && echo ESCAPED; true'],
  ['every process of the person', 'trap "" TERM; kill -TERM -1; kill -CONT -1; true'],
  ['the network by TCP', '(echo x > "/dev/tcp/127.0.0.1/$PORT4") && echo ESCAPED; (echo x > "/dev/tcp/::1/$PORT6") && echo ESCAPED; (echo x > /dev/tcp/1.1.1.1/53) && echo ESCAPED; true'],
  ['the network by UDP', '(echo x > "/dev/udp/127.0.0.1/$UDP"); (echo x > /dev/udp/1.1.1.1/53) && echo ESCAPED; true'],
  ['a name server', 'timeout 5 getent hosts example.com && echo ESCAPED; true'],
  ['a raw packet', `perl -MSocket -e 'socket(my $s, 17, SOCK_RAW, 3) and print "ESCAPED\\n"'; true`],
  ['a socket with a path', `perl -MSocket -e 'socket(my $s, AF_UNIX, SOCK_STREAM, 0); connect($s, sockaddr_un($ENV{SOCKET})) and print "ESCAPED\\n"'; true`],
  ['a socket with a bare name', `perl -MSocket -e 'socket(my $s, AF_UNIX, SOCK_STREAM, 0); connect($s, pack("Sa108", AF_UNIX, "\\0" . $ENV{ABSTRACT})) and print "ESCAPED\\n"'; true`],
  ['sockets of the system', 'for s in /run/docker.sock /var/run/docker.sock /run/dbus/system_bus_socket /run/user/*/bus /tmp/.X11-unix/X* /run/containerd/containerd.sock; do [ -S "$s" ] && echo ESCAPED; done; true'],
  ['variables that lead out', 'for v in SSH_AUTH_SOCK DOCKER_HOST DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR DISPLAY WAYLAND_DISPLAY; do [ -n "${!v}" ] && echo ESCAPED "$v"; done; true'],
  ['terminals of others', `for t in /dev/pts/[0-9]*; do [ -e "$t" ] && echo ESCAPED; done; perl -e 'for my $n (0..40) { open(my $t, ">", "/dev/pts/$n") and print "ESCAPED\\n" }'; true`],
  ['keys typed into the terminal', `perl -e 'ioctl(STDIN, 0x5412, $_) for split //, "echo x > $ENV{OUT}/new\\n"'; sleep 0.3`],
  ['settings of the kernel', 'for f in /proc/sys/kernel/core_pattern /proc/sys/kernel/modprobe /proc/sys/vm/drop_caches /proc/sysrq-trigger /proc/irq/default_smp_affinity /sys/power/state /sys/kernel/uevent_helper /sys/fs/cgroup/cgroup.procs; do [ -e "$f" ] && (printf "" > "$f") 2>/dev/null && echo ESCAPED "$f"; done; true'],
  ['shared memory of the machine', 'ipcs -m 2>/dev/null | grep -q "^0x" && echo ESCAPED; ls /dev/shm | grep -q . && echo ESCAPED; true'],
  ['files that others left in /tmp', 'cat "$LEFT" && echo ESCAPED; ls -A /tmp | grep -q "^countersign-left-" && echo ESCAPED; ls -A /var/tmp | grep -q . && echo ESCAPED; true'],
]

/** Those of them that harm nothing but the test's own world: where nothing holds them they work, or they show nothing. */
export const harmlessAttacks: readonly string[] = [
  'a write outside', 'a symbolic link in the project', 'a hard link to outside', 'a hard link of what is protected', 'writing what is protected', 'a repository moved away and made anew', 'an exchange of two names',
  'settings of git that run programs', 'the data folder of the app', 'the home folder', 'the network by TCP', 'the network by UDP', 'a socket with a path', 'a socket with a bare name', 'namespaces of its own',
]

/** After the command has ended it goes on in the background, when nobody looks any more. */
export const lateAttack = '(sleep 1; mkdir -p .vscode; echo x > .vscode/tasks.json; rm -rf .cursor; mkdir .cursor; echo x > .mcp.json; echo x > .git/hooks/pre-commit; echo x > "$OUT/new") >/dev/null 2>&1 &'
