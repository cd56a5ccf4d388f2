#!/bin/sh
# Writes a backup of the database of DATABASE_URL into a folder, reads it once, and removes backups older than 14 days.
# Needs sqlite3 or pg_dump. The shop may run. A failed backup leaves no file with a final name.
set -eu
umask 077
folder=${1:?usage: backup.sh FOLDER}
name=$folder/tianguis-$(date -u +%Y%m%dT%H%M%SZ)

case ${DATABASE_URL:-file:./data/tianguis.db} in
file:*)
	path=${DATABASE_URL:-file:./data/tianguis.db}
	sqlite3 -bail "${path#file:}" ".timeout 10000" "vacuum into '$name.part'"
	test "$(sqlite3 "$name.part" 'pragma integrity_check')" = ok
	mv "$name.part" "$name.db"
	;;
*)
	pg_dump --format=custom --no-owner --file="$name.part" "$DATABASE_URL"
	pg_restore --file=/dev/null "$name.part"
	mv "$name.part" "$name.dump"
	;;
esac
find "$folder" -name 'tianguis-*' -mtime +14 -delete
