#!/bin/sh
# imap4d of GNU Mailutils answers `UID SEARCH UID 1:*` with nothing, though mail is there; `UID SEARCH UID 1:2` and
# `UID FETCH 1:*` find it.
# Seen with Debian 12's mailutils-imap4d 3.15. What it means for us: `webapp/core/imap_commands.py` finds new mails by
# FETCH. Needs Debian 12, and its lists of packages.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq mailutils-imap4d=1:3.15* libmailutils9 libgsasl18 libgssglue1 libidn12 libmariadb3 libntlm0 2>/dev/null
for package in *.deb; do dpkg -x "$package" root; done
mail='From ann@example.org Mon Mar  2 12:00:00 2026\nFrom: ann@example.org\nSubject: Hello\n\nHello\n\n'
printf "$mail$mail" >inbox
cat >conf <<CONF
mode inetd;
preauth stdio;
mailbox { mailbox-pattern "$folder/inbox"; mailbox-type mbox; };
CONF

said=$(printf 'a EXAMINE INBOX\r\nb UID SEARCH UID 1:*\r\nc UID SEARCH UID 1:2\r\nd UID FETCH 1:* (UID)\r\ne LOGOUT\r\n' |
    LD_LIBRARY_PATH=$(echo root/usr/lib/*-linux-gnu) root/usr/sbin/imap4d --no-config --config-file="$folder/conf")
echo "$said"
found=$(echo "$said" | tr -d '\r' | grep -e '^\* SEARCH' -e 'FETCH (UID')
[ "$found" = "* SEARCH
* SEARCH 1 2
* 1 FETCH (UID 1)
* 2 FETCH (UID 2)" ]
