# Addresses of databases.

address-has-no-option = { $whose } の接続先にオプション "{ $option }" はありません
address-unreadable = データベースの接続先を読めません: { $what }
at-sign-after-host = ホストの後に @ があります。パスワードの中では @ を %40、/ を %2F、? を %3F と書いてください
did-you-mean-of = { $near } ではありませんか? 使えるもの: { $names }
host-is-empty = @ の後にホストがありません
ipv6-without-bracket = IPv6 アドレスを閉じる ] がありません
it-has-no-scheme = スキームがありません
leave-it-out = 外してください。ここで使えるオプションはありません
leave-it-out-or-use = 外すか、次のいずれかを使ってください: { $names }
not-a-database = "{ $scheme }" は対応するデータベース(mysql、mariadb、postgres、postgresql、sqlite、null)ではありません
not-a-port-after-host = ホストのコロンの後がポート番号(1〜65535)ではありません
option-is-not-a-port = { $option } はポート番号(1〜65535)ではありません
option-not-true-or-false = { $option } の値が true でも false でもありません
option-stands-twice = { $option } が異なる値で 2 回指定されています
options-are-the-same = { $other } と { $option } は同じ意味ですが、値が異なります
setting-through-options = サーバーの設定は options=-c%20NAME=VALUE で渡せます
tls-forbidden-and-demanded = { $no } は TLS を禁止し、{ $yes } は必須としています
tls-mode-of-option-unknown = { $option } に TLS のモード "{ $mode }" はありません
two-slashes-before-host = ホストの前に // がありません
use-tls-modes = tls={ $modes } のいずれかを指定してください
write-address = { $address } と書いてください
write-address-like = mysql://user@127.0.0.1:3306/sbtest、postgres://user@127.0.0.1:5432/sbtest、sqlite:/tmp/test.db、null: のように書いてください
write-true-or-tls = { $option }=true または tls=required と書いてください
