#!/bin/bash
# Prepares a root that is this machine's, with every change in memory, and walks through the guide in it: `walk.sh REPOSITORY SCRIPT`.
# Runs in namespaces of its own, so that neither ports nor mounts nor processes touch the machine's.
set -euo pipefail
repository=$1
script=$2
here=$(cd "$(dirname "$0")" && pwd)

mount --make-rprivate /
room=$(mktemp -d)
mount -t tmpfs -o size=2g tmpfs "$room"
mkdir "$room/upper" "$room/work" "$room/root"
root=$room/root
mount -t overlay overlay -o "lowerdir=/,upperdir=$room/upper,workdir=$room/work" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/run"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
rm -rf "$root/opt/portico" "$root/etc/portico" "$root/var/lib/portico"
mkdir -p "$root/opt/portico" "$root/guide"
mount --bind "$repository" "$root/opt/portico"
mount -o remount,bind,ro "$root/opt/portico"
install -m 0755 "$here/systemctl" "$root/usr/local/sbin/systemctl"
install -m 0644 "$script" "$root/guide/script"
ip link set lo up
echo '127.0.0.1 localhost open.example.com console.example.com' >"$root/etc/hosts"

# What Debian's packages do when they are installed.
mkdir -p "$root/run/postgresql" "$root/run/redis" "$root/run/lock" "$root/var/lib/postgresql/walk"
chroot "$root" bash -euo pipefail <<'END'
chown postgres:postgres /run/postgresql /var/lib/postgresql/walk
chown redis:redis /run/redis
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
runuser -u postgres -- "$bin/initdb" --auth-local=peer --auth-host=scram-sha-256 --no-sync -D /var/lib/postgresql/walk >/dev/null
runuser -u postgres -- "$bin/pg_ctl" -D /var/lib/postgresql/walk -o '-k /run/postgresql -c fsync=off' -w -l /tmp/postgres.log start >/dev/null
END
chroot "$root" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  PGHOST=/run/postgresql CURL_CA_BUNDLE=/guide/certificate.pem bash -euo pipefail /guide/script || {
  tail -n 20 "$root"/var/log/portico@*.log "$root/tmp/postgres.log" "$root/var/log/redis/redis-server.log" >&2
  chroot "$root" ps -ef >&2 || true
  exit 1
}
