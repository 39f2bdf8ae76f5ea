# Connections and statements.

add-pg-hba-line = サーバーの pg_hba.conf に、このホスト・ユーザー・データベースの行を加えてください(場所は SHOW hba_file で分かります)。TLS 専用の行しかない場合は、接続先に ?tls=required を加えてください
add-tls-ca = 接続先に tls_ca=/path/to/ca.pem を加えてください
add-tls-or-allow-cleartext = 接続先に ?tls=required を加えてください。信頼できる経路であれば ?cleartext=allow も使えます
add-tls-or-drop-channel-binding = 接続先に tls=required を加えるか、channel_binding を外してください
add-tls-required = 接続先に ?tls=required を加えてください
address-of-list = { $address }
alter-user-caching-sha2 = ALTER USER … IDENTIFIED WITH caching_sha2_password BY …
answer-too-large = 応答の行が { $mib } MiB を超えるメモリーを必要とします
ask-for-compression-algorithms = サーバーが対応する方式は SHOW VARIABLES LIKE 'protocol_compression_algorithms' で分かります。または接続先から compress を外してください
ask-for-fewer-rows = 取得する行を減らしてください。文に LIMIT を加えてください
authentication-unknown = アカウントの認証方式 { $method } に Tenbin は対応していません
begin-mode-unknown = begin={ $value } は指定できません
cannot-be-read-as-pem = { $file } を PEM として読めません
certificate-expired = サーバー証明書の期限が切れています。サーバーで更新してください(このマシンの時計も date で確認してください)
certificate-for-another-name = サーバー証明書の名前が違います。証明書にある名前で接続するか、名前を検証しない tls=verify-ca を使ってください
certificate-not-yet-valid = サーバー証明書がまだ有効ではありません。両方のマシンの時計を確認してください(date)
certificate-signs-itself = サーバー証明書は自己署名です。その証明書自体を tls_ca に指定するか、認証局が署名した証明書をサーバーに設定してください
certificate-version-1 = サーバー証明書は X.509 バージョン 1 で、検証できません。拡張(subjectAltName)付きで作り直すか、tls=required を使ってください
channel-binding-impossible = チャネルバインディングが必須ですが、使えません。TLS、SCRAM、ハッシュを持つ証明書が必要です
channel-binding-unknown = channel_binding={ $value } は指定できません
check-host-name = ホスト名を確認するか、IP アドレスを指定してください
check-user-and-password = ユーザー名とパスワードを確認してください(--password-env、プランの password_env、または接続先で指定するファイル: option_file、login_path、passfile)
check-user-may-log-in = ユーザー名と、ログインできるかどうかを確認してください: CREATE ROLE … LOGIN
clear-password-refused = サーバーが暗号化されていない接続で平文のパスワードを要求したため、送信しませんでした
cleartext-unknown = cleartext={ $value } は指定できません
client-certificate-refused = サーバーがクライアント証明書を受け付けません。サーバーの認証局が署名したものを指定してください: tls_cert=… と tls_key=…
client-certificate-unusable = クライアント証明書を使えません
close-group = グループは [NAME] の形で書いてください
close-to-others = chmod 600 { $file }
close-to-writers = chmod o-w { $file }
commit-rolled-back = COMMIT でトランザクションがロールバックされました。その前の文が失敗していたためです
compressed-takes-one-statement = 圧縮した接続では、文を一度に 1 つしか送れません
connect-timeout-not-seconds = connect_timeout_s={ $value } は秒数ではありません
connecting-panicked = 接続処理が異常終了しました
connection-lost = サーバーとの接続が失われました: { $error }
connection-needs-thread = 接続を開くにはスレッドが必要です: { $error }
connection-of-no-use = 接続はもう使えません。サーバーが切断したか、前の応答が最後まで読まれていません
create-or-name-database = CREATE DATABASE … を実行するか、接続先に既存のデータベースを指定してください
create-or-name-schema = CREATE DATABASE … を実行するか、接続先に既存のスキーマを指定してください
data-after-greeting = TLS の開始前に、サーバーの最初のパケットに続けて余分なデータが送られてきました
data-before-compression = 圧縮の開始前に、ログインの完了に続けて余分なデータが送られてきました
data-before-tls = TLS の開始前に、TLS を認めるサーバーの応答に続けて余分なデータが送られてきました
doing-at-place = { $place }: { $doing }
driver-connects-only-asynchronously = このドライバーの接続処理には待機が必要です
earlier-answer-unread = 前の応答が最後まで読まれていません
failed = { $doing }に失敗しました: { $why }
failed-with-number = { $doing }に失敗しました: { $why } (エラー { $number })
firewall-in-between = 途中にファイアウォールがないか、このポートにあるのが別の種類のサーバーではないか確かめてください。長く待つには接続先に connect_timeout_s=60 を加えてください
free-memory-on-server-host = サーバーのマシンのメモリーに空きを作ってください
free-space-for-file = ファイルのあるディスクの空きを増やしてください
free-space-on-server-disk = サーバーのディスクの空きを増やしてください
generate-primary-keys = 管理者として SET GLOBAL sql_generate_invisible_primary_key = ON(MySQL 8.0.30 以降)を実行してください。主キーのないテーブルに不可視の主キーが付きます。古いサーバーでは SET GLOBAL sql_require_primary_key = OFF
give-account-newer-password = アカウントのパスワードを新しい方式にしてください: ALTER USER … IDENTIFIED BY …
give-both-or-neither = 両方を指定するか、両方とも外してください
give-host-name-or-ip = サーバーのホスト名または IP アドレスを指定してください
give-password-env = --password-env NAME、またはプランの password_env を指定してください
give-the-authority = サーバー証明書に署名した認証局を指定してください: { $authority }
grant-access-from-host = アカウントに、このホストからの接続を許可(GRANT)してください
grant-all-on-schema = アカウントに GRANT ALL ON でスキーマの権限を与えてください
grant-what-it-needs = アカウントに必要な権限を与えてください(GRANT)
host-list-unreadable = 接続先のホストの一覧を読めません
host-unknown = ホスト { $host } が見つかりません: { $error }
include-a-path = パスを書いてください: { $word } /path
input-too-long = { $most } を超えています
is-file-writable = { $database } はこのユーザーが書き込めるファイルですか?
is-it-database-file = { $database } というファイルはありますか? 調べるだけのコマンドはファイルを作りません。作るのは tenbin load です
is-port-right = ポートは正しいですか? tenbin doctor { $address }
is-server-running = サーバーは起動していますか? { $where_it_is }
is-server-running-at-port = サーバーは起動していますか? ポートは正しいですか? tenbin doctor { $address }
journal-mode-refused = journal_mode={ $value } は適用されませんでした。SQLite の応答は { $got } です
lift-limits-of-account = ALTER USER … WITH MAX_USER_CONNECTIONS 0 MAX_QUERIES_PER_HOUR 0 MAX_CONNECTIONS_PER_HOUR 0
local-file-unreadable = LOAD DATA LOCAL のファイル { $file } を読めません: { $error }
login-answer-makes-no-sense = パスワードに対するサーバーの応答が正しくありません
login-file-foreign = { $file } は mysql_config_editor が書いたファイルではありません
login-file-has = { $file } にあるログインパス: { $names }
login-file-is-empty = { $file } にログインパスはありません
login-file-unreadable = ログインファイル { $file } を読めません
login-goes-on-after-plugin = { $plugin } の認証が終わった後も、サーバーが続きを要求しています
login-never-ends = サーバーのログイン処理が終わりません
login-path-missing = ログインパス "{ $name }" はありません
login-took-too-long = サーバーが { $patience } 秒以内にログインを受け付けませんでした
look-at-certificate = サーバー証明書を確認する(openssl x509 -text -in …)か、検証しない tls=required を使ってください
look-for-log-error = サーバーのエラーログを確認してください。場所は SHOW VARIABLES LIKE 'log_error' で分かります
look-into-error-log-and-disk = サーバーのエラーログとディスクの空き容量を確認してください
look-into-server-log = サーバーのログを確認してください。場所は SHOW log_destination と SHOW log_directory で分かります
mysqladmin-flush-hosts = mysqladmin flush-hosts
name-another-file-or-remove = 別のファイルを指定するか、このファイルを削除してください
no-answer-is-owed = 待っている応答がありません
no-event-loop = イベントループを作成できません
no-pipelines = このプロトコルにはパイプラインがありません
no-service-in = { $files } にサービスはありません
node-not-in-cluster = このノードはクラスターに参加していません: SHOW STATUS LIKE 'wsrep_ready'
not-a-postgresql-server = PostgreSQL サーバーではありません。TLS の要求に対する応答が違います
not-a-pragma = { $name }={ $value } は pragma ではありません
not-milliseconds = { $name }={ $value } はミリ秒数ではありません
not-the-mysql-protocol = サーバーの応答が MySQL のプロトコルに従っていません: { $fault }
not-the-postgresql-protocol = サーバーの応答が PostgreSQL のプロトコルに従っていません: { $fault }
nothing-answers-at-port = { $host }:{ $port } から応答がありません: { $error }
nothing-answers-at-socket = ソケット { $path } から応答がありません: { $error }
option-file-group-not-closed = オプションファイル { $file } の { $line } 行目: グループ名が ] で閉じられていません
option-file-includes-nothing = オプションファイル { $file } の { $line } 行目: { $word } にパスがありません
option-file-option-without-group = オプションファイル { $file } の { $line } 行目: グループの行より前にオプションがあります
option-file-unreadable = オプションファイル { $file } を読めません
option-file-without-client = オプションファイル { $file } にはクライアント用の設定がありません
option-file-writable-by-all = オプションファイル { $file } は誰でも書き込めるため使いません
option-not-on-or-off = { $name }={ $value } は指定できません
passfile-unreadable = パスワードファイル { $file } を読めません
password-file-of-address-unreadable = 接続先のパスワードファイルを読めません
password-missing = サーバーがパスワードを要求しましたが、指定されていません
peer-account = このアカウントはパスワードではなく OS のユーザーで認証するものかもしれません。そのユーザーでソケットから接続する(sudo -u USER tenbin …)か、パスワードのあるアカウントを使ってください: CREATE USER … IDENTIFIED BY …
pool-in-transaction-mode = トランザクションモードのプール(PgBouncer)が途中にありませんか? ps_mode = "disable"(-o ps_mode=disable)を指定する、pipeline を外す、またはサーバーに直接つながる接続先を使ってください
prepared-on-another-connection = 文は別の接続で準備されたものです
proxy-in-between = 接続を共有するプロキシ(Router、ProxySQL、トランザクションモードの PgBouncer)が途中にありませんか? ps_mode = "disable"(-o ps_mode=disable)を指定する、pipeline を外す、またはサーバーに直接つながる接続先を使ってください
raise-lock-wait-timeout = SET GLOBAL innodb_lock_wait_timeout = …(秒)を実行するか、同じ行を使うクライアントを減らしてください
raise-max-allowed-packet = SET GLOBAL max_allowed_packet = …
raise-max-connections = 管理者として SET GLOBAL max_connections = … を実行するか、クライアントを減らしてください
raise-max-connections-system = クライアントを減らすか、管理者として ALTER SYSTEM SET max_connections = … を実行してサーバーを再起動してください
raise-max-prepared-stmt-count = { $raise } を実行するか、ps_mode = "disable" を指定してください
raise-open-files = オープンファイル数の上限(ulimit -n)を上げてください
refused-prepared-statement = プリペアドステートメント: { $statement }(SQLSTATE { $state })
refused-statement = 文: { $statement }(SQLSTATE { $state })
rollback-first = ROLLBACK してください。原因は、その前に失敗した文にあります
row-unreadable = 応答の行を読めません
rsa-key-unreadable = サーバーの RSA 鍵を読めません
scram-before-it-begins = 始まる前に SCRAM の続きが来ました
scram-ends-before = 始まる前に SCRAM が終わりました
scram-stops = SCRAM の途中で止まりました
secrets-open-to-others = { $file } は他のユーザーも読めるため使いません
server-asked-for-a-file = サーバーが、クライアントの指定していないファイル { $file } を要求しました。何も送信していません
server-asks-for-rows = サーバーが、クライアントの申し出ていない行を要求しました
server-closed-connection = サーバーが接続を閉じました
server-does-not-know-password = サーバーがパスワードを知っていることを確認できません: { $why }
server-hint = サーバーからのヒント: "{ $advice }"
server-keeps-asking-for-proofs = サーバーが別の認証を要求し続けています
server-silent-after-login = サーバーはログインを受け付けましたが、その後 { $patience } 秒間応答しませんでした(最初の文は { $first })
server-wants-old-password = サーバーが MySQL 4.1 より前の形式のパスワードを要求しました
server-without-tls = サーバーが TLS に対応していません
server-without-zlib = サーバーが zlib 圧縮に対応していません
service-file-unreadable = サービスファイル { $file } を読めません
service-line-wrong = { $file }、{ $line } 行目: サービスでは設定できない項目です
service-missing = サービス "{ $name }" はありません
services-are = サービス: { $names }
set-local-infile-as-administrator = 管理者として SET GLOBAL local_infile = 1 を実行してください
set-lock-timeout = SET lock_timeout = 0 とするか、同じ行を使うクライアントを減らしてください
set-login-path = mysql_config_editor set --login-path={ $name } --host=HOST --user=USER --password
set-pg-hba-scram = pg_hba.conf で、このアカウントに scram-sha-256 を使うようにしてください
set-up-tls-mysql = サーバーで設定する(ssl_cert、ssl_key)か、信頼できる経路であれば { $plain } を指定してください
set-up-tls-postgresql = サーバーで設定する(ssl = on、ssl_cert_file、ssl_key_file)か、信頼できる経路であれば { $plain } を指定してください
show-socket = パスは SHOW VARIABLES LIKE 'socket' で分かります
show-socket-directories = ソケットの場所は SHOW unix_socket_directories で分かります
somebody-in-between = 途中の何か(プロキシや、このポートの別のプログラム)が送った可能性があります。経路を確認してください
sqlite-has-no-load-data = SQLite に LOAD DATA はありません
sqlite-has-no-pragma = SQLite { $version } に pragma { $name } はありません
sqlite-options-are-pragmas = sqlite の接続先のオプションは journal_mode=wal や synchronous=normal などの pragma です
sqlite-owes-no-answer = SQLite には待っている応答がありません
sqlite-parameter-without-value = 文のパラメーター { $name } に値がありません
sqlite-pragma-list = 一覧は https://www.sqlite.org/pragma.html にあります
sqlite-sends-nothing-ahead = SQLite は呼び出しの中で応答するため、応答を待たずに次の文を送ることはできません
statement-not-utf-8 = 文が UTF-8 ではありません。このデータベースには UTF-8 が必要です
tenbin-load-makes-tables = ワークロードのテーブルは tenbin load で作成できます。必要なテーブルは tenbin list WORKLOAD で分かります
tls-ca-missing = サーバー証明書の検証には認証局の証明書が必要です
tls-ca-unusable = tls_ca の認証局証明書を使えません
tls-cannot-be-set-up = TLS を準備できません
tls-cert-and-tls-key-belong-together = tls_cert と tls_key は両方が必要です
tls-closed = サーバーが TLS 1.2 に対応していないか、このポートで応答しているのが別のものかもしれません。サーバーのエラーログを確認してください
tls-failed = サーバーとの TLS に失敗しました: { $error }
tls-mode-unknown = TLS のモード { $mode } はありません
tls-too-old = サーバーが TLS 1.2 に対応していない可能性があります。信頼できる経路であれば { $plain } を使ってください
unset-read-only = 管理者として SET GLOBAL read_only = 0 を実行するか、読み取り専用のワークロード(oltp_read_only)を使ってください
use-a-begin-mode = begin=immediate、deferred、exclusive のいずれかを指定してください
use-a-channel-binding = channel_binding=disable、prefer、require のいずれかを指定してください
use-a-tls-mode = tls=disabled、preferred、required、verify-ca、verify-identity のいずれかを指定してください
use-account-with-known-plugin = caching_sha2_password、mysql_native_password、sha256_password、ed25519 のいずれかのアカウントを使ってください
use-cleartext-refuse-or-allow = cleartext=refuse または allow を指定してください
use-option-on-or-off = { $name }=on または { $name }=off を指定してください
values-for-parameters = パラメーター { $parameters } 個に対して値が { $values } 個あります
wait-until-started = サーバーの起動が終わるまで待ってください
write-client-group = [client] の行の下に user、password、host を書いてください
write-group-above = その行より上に、[client] や [mysqld] などのグループの行を書いてください
write-hosts-as = hosts=a:3306,b:3307 の形で書いてください
write-service = { $file } に [{ $name }] と host、port、dbname、user を書いてください
