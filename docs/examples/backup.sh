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
	# An apostrophe in the folder is doubled in SQL.
	part=$(printf '%s\n' "$name.part" | sed "s/'/''/g")
	sqlite3 -bail "${path#file:}" ".timeout 10000" "vacuum into '$part'"
	test "$(sqlite3 "$name.part" 'pragma integrity_check')" = ok
	mv "$name.part" "$name.db"
	;;
*)
	# Every user of the machine can read the arguments of a program. The password is passed in the environment.
	encoded=$(printf '%s\n' "$DATABASE_URL" | sed -n 's|^[a-z]*://[^:@/?]*:\([^@/?]*\)@.*|\1|p')
	address=$(printf '%s\n' "$DATABASE_URL" | sed 's|^\([a-z]*://[^:@/?]*\):[^@/?]*@|\1@|')
	case $address in
	*[?\&]password=*)
		echo 'backup.sh: write the password as in postgres://user:password@host/database' >&2
		exit 1
		;;
	esac
	if [ -n "$encoded" ]; then
		PGPASSWORD=$(printf '%s\n' "$encoded" | LC_ALL=C awk '
			function digit(text) { return index("0123456789abcdef", tolower(text)) - 1 }
			{
				while ((at = index($0, "%")) > 0) {
					printf "%s%c", substr($0, 1, at - 1), 16 * digit(substr($0, at + 1, 1)) + digit(substr($0, at + 2, 1))
					$0 = substr($0, at + 3)
				}
				print
			}')
		export PGPASSWORD
	fi
	pg_dump --format=custom --no-owner --file="$name.part" "$address"
	pg_restore --file=/dev/null "$name.part"
	mv "$name.part" "$name.dump"
	;;
esac
find "$folder" -name 'tianguis-*' -mtime +14 -delete
