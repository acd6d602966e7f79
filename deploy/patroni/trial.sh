#!/bin/sh
# A trial of PostgreSQL with failover on this machine: one etcd, three nodes with Patroni, HAProxy and pgbouncer, on 127.0.0.1, from the
# files in this folder and beside it. Needs Debian's packages etcd-server, patroni, python3-etcd, postgresql, haproxy and pgbouncer;
# their services need not run.
#
#   trial.sh FOLDER              everything, until Ctrl-C
#   trial.sh FOLDER write        only writes the configuration
#   trial.sh FOLDER run NAME     one of etcd, node1, node2, node3, haproxy, pgbouncer, which becomes this process
#
# PORT      the first of the ports, 7000 by default: etcd +0 and +1, HAProxy +2, pgbouncer +3,
#           PostgreSQL +11 to +13, Patroni's REST interface +21 to +23
# PASSWORD  of PostgreSQL's superuser, "trial" by default
# RUN_AS    the user for PostgreSQL and pgbouncer when root calls this, "postgres" by default
# PROGRAMS  the folder of PostgreSQL's programs, by default the one with initdb in PATH, otherwise Debian's of the newest version
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:?usage: trial.sh FOLDER [write | run NAME]}
command=${2:-all}
port=${PORT:-7000}
password=${PASSWORD:-trial}
initdb=$(command -v initdb || ls /usr/lib/postgresql/*/bin/initdb | sort -V | tail -n 1)
# The one in PATH may be a link, beside which the other programs are missing.
programs=${PROGRAMS:-$(dirname "$(readlink -f "$initdb")")}
address=127.0.0.1
etcd=$address:$port
PATH=$PATH:/usr/sbin

as_user() {
  if [ "$(id -u)" = 0 ]; then
    exec setpriv --reuid "${RUN_AS:-postgres}" --regid "$(id -g "${RUN_AS:-postgres}")" --clear-groups "$@"
  fi
  exec "$@"
}

# Replaces the words between @ of a file: fill FILE WORD=VALUE…
fill() {
  script=
  file=$1
  shift
  for pair in "$@"; do script="$script;s|@${pair%%=*}@|${pair#*=}|g"; done
  sed "$script" "$here/$file"
}

write() {
  mkdir -p "$folder"
  chmod 755 "$folder"
  for n in 1 2 3; do
    node=$folder/node$n
    mkdir -p "$node"
    fill patroni/patroni.yml NAME=node$n ETCD=$etcd ADDRESS=$address PORT=$((port + 10 + n)) REST_PORT=$((port + 20 + n)) \
      FOLDER="$node" PROGRAMS="$programs" PASSWORD="$password" NETWORK=$address/32 >"$node/patroni.yml"
  done
  fill haproxy/haproxy.cfg ADDRESS=$address PORT=$((port + 2)) \
    NODE1=$address:$((port + 11)) NODE2=$address:$((port + 12)) NODE3=$address:$((port + 13)) \
    REST1=$((port + 21)) REST2=$((port + 22)) REST3=$((port + 23)) >"$folder/haproxy.cfg"
  mkdir -p "$folder/pgbouncer"
  fill pgbouncer/pgbouncer.ini ADDRESS=$address PORT=$((port + 3)) HOST=$address DATABASE_PORT=$((port + 2)) \
    FOLDER="$folder/pgbouncer" >"$folder/pgbouncer/pgbouncer.ini"
  if [ "$(id -u)" = 0 ]; then chown -R "${RUN_AS:-postgres}" "$folder/node1" "$folder/node2" "$folder/node3" "$folder/pgbouncer"; fi
}

run() {
  case $1 in
    etcd)
      exec etcd --name trial --data-dir "$folder/etcd" --logger zap \
        --listen-client-urls "http://$etcd" --advertise-client-urls "http://$etcd" \
        --listen-peer-urls "http://$address:$((port + 1))" \
        --initial-advertise-peer-urls "http://$address:$((port + 1))" --initial-cluster "trial=http://$address:$((port + 1))"
      ;;
    node[123])
      cd "$folder/$1"
      as_user patroni patroni.yml
      ;;
    haproxy) exec haproxy -db -f "$folder/haproxy.cfg" ;;
    pgbouncer)
      cd "$folder/pgbouncer"
      [ -s userlist.txt ] || write_users
      as_user pgbouncer pgbouncer.ini
      ;;
    *)
      echo "unknown: $1" >&2
      exit 2
      ;;
  esac
}

# The command that pgbouncer.ini names; waits for the roles that `trellis database setup` makes.
write_users() {
  until PGPASSWORD=$password "$programs/psql" -h $address -p $((port + 2)) -U postgres -AtXc \
    "SELECT format('\"%s\" \"%s\"', rolname, rolpassword) FROM pg_authid WHERE rolname ~ '^trellis_(api|auth|worker|owner)$'" \
    >userlist.txt 2>/dev/null && [ -s userlist.txt ]; do sleep 1; done
}

case $command in
  write) write ;;
  run) run "${3:?usage: trial.sh FOLDER run NAME}" ;;
  all)
    write
    processes=
    for name in etcd node1 node2 node3 haproxy pgbouncer; do
      "$0" "$folder" run $name >"$folder/$name.log" 2>&1 &
      processes="$processes $!"
    done
    # Patroni stops its PostgreSQL when it is asked to end.
    trap 'kill $processes 2>/dev/null' INT TERM
    echo "superuser   postgres://postgres:$password@$address:$((port + 2))/postgres"
    echo "HAProxy     port $((port + 2))"
    echo "pgbouncer   port $((port + 3)), after \"trellis database setup\""
    echo "PostgreSQL  ports $((port + 11)), $((port + 12)), $((port + 13))"
    echo "logs        $folder/*.log"
    wait
    # The signal has ended the first one.
    wait
    ;;
  *)
    echo 'usage: trial.sh FOLDER [write | run NAME]' >&2
    exit 2
    ;;
esac
