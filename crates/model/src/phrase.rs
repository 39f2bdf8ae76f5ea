//! Our own sentences that stand in a recording in English, in Japanese: a list of pairs with places for what was seen.
//!
//! A recording keeps what was told in one language. A reader of the other one finds the sentence here; what is not ours
//! (a server's message, a path) and what is not in the list stays as it came.

use crate::answer::Language;
use crate::problem::Problem;

/// English and Japanese; each `{}` stands for what was seen, in the same order, or as `{1}`, `{2}` where Japanese wants another.
/// `tests/tests/phrases.rs` compares the list with the sentences in the sources.
pub const PHRASES: &[(&str, &str)] = &[
    // Facts.
    ("yes", "はい"),
    ("not seen", "検出されず"),
    ("none", "なし"),
    // A run directory from elsewhere.
    (
        "{} intervals are left out: their histograms would take more memory than {}",
        "{1} 個の区間を除きました。ヒストグラムに {2} を超えるメモリーが必要になるためです",
    ),
    (
        "no recording of a real run comes near that: it was damaged, or made up",
        "実際の実行の記録がこの大きさになることはありません。破損しているか、作られたものです",
    ),
    ("{} trials are more than are read: {}", "試行が {1} 個あり、読み込める上限の {2} 個を超えています"),
    // A server that says nothing.
    (
        "the server has not answered for {}, and is not waited for any longer",
        "サーバーから {} の間応答がないため、待つのをやめました",
    ),
    (
        "look into its error log, and at the room on its disk",
        "サーバーのエラーログとディスクの空き容量を確認してください",
    ),
    (
        "the server did not begin the clients' sessions within {} s",
        "{} 秒以内にクライアントのセッションを開始できませんでした",
    ),
    (
        "look what it is busy with: SHOW PROCESSLIST, or pg_stat_activity",
        "サーバーが何を処理しているかを SHOW PROCESSLIST または pg_stat_activity で確認してください",
    ),
    ("stopped while the server was asked", "サーバーへの問い合わせ中に停止しました"),
    (
        "the server answers, and none of our statements is under way",
        "サーバーは応答していますが、実行中の文はありません",
    ),
    // Notes of a trial: data.
    ("loaded {} {} in {} ({} {}/s, {} streams)", "{1} {2}を {3} でロードしました(毎秒 {4} {5}、{6} 並列)"),
    ("the {} of {} are not there", "{2} の{1}がありません"),
    ("looked in {}", "{} を調べました"),
    (
        "the {} of data set {} were not made by Tenbin, so they are not dropped and loaded again",
        "データセット {2} の{1}は Tenbin が作成したものではないため、削除と再ロードを行いません",
    ),
    ("no tenbin_mark in {}", "{} に tenbin_mark がありません"),
    (
        "set restore = \"never\" to use them as they are, or point the target at an empty schema",
        "そのまま使うには restore = \"never\" を指定してください。または、空のスキーマを対象にしてください",
    ),
    (
        "the thread that loads or checks panicked; this is a fault of Tenbin",
        "ロードまたは検査のスレッドが異常終了しました。Tenbin の不具合です",
    ),
    (
        "the tables of {} are not there: the private server of target {} begins empty",
        "{1} のテーブルがありません。対象 {2} の一時サーバーは空の状態で起動します",
    ),
    (
        "set restore = \"never\", which loads what is not there, or restore = \"before-run\"",
        "ないものをロードする restore = \"never\"、または restore = \"before-run\" を指定してください",
    ),
    // Notes of a trial: room on the disk.
    ("the disk has no room for what is to be loaded", "ロードするデータがディスクに入りません"),
    (
        "make the data smaller (table_size, tables, warehouses), or free {} there",
        "データを小さくする(table_size、tables、warehouses)か、そこに {} の空きを作ってください",
    ),
    ("the disk may become full while the data are loaded", "ロード中にディスクがいっぱいになるおそれがあります"),
    (
        "about {} to load into {}{}; {} are free there; logs and the sorting for indexes may take half as much again",
        "{2}{3} に約 {1} をロードします。空きは {4} です。ログと索引作成時のソートにさらに半分ほど必要になることがあります",
    ),
    ("about {} to load into {}{}; {} are free there", "{2}{3} に約 {1} をロードします。空きは {4} です"),
    ("about {} to load; {}", "約 {1} をロードします。{2}"),
    (
        "whether the disk has room for what is to be loaded is not known",
        "ロードするデータがディスクに入るかどうかは確認できません",
    ),
    (
        "df -h, on the server, for the directory of its data",
        "サーバー上で、データディレクトリについて df -h を実行してください",
    ),
    // Targets.
    ("the target is gone", "対象がなくなりました"),
    ("target {} has no address", "対象 {} の接続先がありません"),
    (
        "the script {} was compiled, not run: its options are checked when the run begins",
        "スクリプト {} はコンパイルしただけで、実行していません。オプションは実行の開始時に検査されます",
    ),
    (
        "give it dsn = \"mysql://…\" or sandbox = \"mariadbd\"",
        "dsn = \"mysql://…\" または sandbox = \"mariadbd\" を指定してください",
    ),
    (
        "the server variables of target {} cannot be set: the server is not a sandbox",
        "対象 {} はサンドボックスではないため、サーバー変数を設定できません",
    ),
    (
        "set them on the server, or use sandbox = \"mariadbd\"",
        "サーバー側で設定するか、sandbox = \"mariadbd\" を使ってください",
    ),
    ("the password of target {} is not in the environment", "対象 {} のパスワードが環境変数にありません"),
    ("password_env = {}, which is not set", "password_env = {} が設定されていません"),
    ("the password file of target {} cannot be read", "対象 {} のパスワードファイルを読めません"),
    ("started a private server for target {}", "対象 {} のための専用サーバーを起動しました"),
    ("the server did not start", "サーバーが起動しませんでした"),
    ("the private server {} has ended by itself", "専用サーバー {} が自ら終了しました"),
    ("stopped by the user while a private server was starting", "専用サーバーの起動中に、ユーザーの指示で中断しました"),
    (
        "the server did not look at the tables anew: its plans may be made for smaller ones",
        "サーバーはテーブルの統計情報を更新しませんでした。実行計画が小さいテーブル向けのままになっている可能性があります",
    ),
    (
        "the server has no locks that keep a second load of these tables out",
        "このサーバーには、同じテーブルへの二重のロードを防ぐロックがありません",
    ),
    ("target {}: {} has no variable {}", "対象 {1}: {2} には変数 {3} がありません"),
    (
        "look at the server variables in the plan: the log above names the one it refuses",
        "プランのサーバー変数を確認してください。拒否された変数は上のログにあります",
    ),
    ("the server did not take connections in time", "サーバーが時間内に接続を受け付けませんでした"),
    ("the server's process is gone", "サーバーのプロセスがなくなりました"),
    ("connecting to observe the server failed: {}", "観測のための接続に失敗しました: {}"),
    ("reading the server's status failed: {}", "サーバーのステータスの読み取りに失敗しました: {}"),
    ("looking for the server's counters failed: {}", "サーバーのカウンターの確認に失敗しました: {}"),
    (
        "the server did not tell its status within {} s",
        "サーバーがステータスの問い合わせに {} 秒以内に応答しませんでした",
    ),
    ("observer {} could not be started", "オブザーバー {} を開始できませんでした"),
    (
        "observer {} panicked: a fault of Tenbin, its readings end here",
        "オブザーバー {} が異常終了しました。Tenbin の不具合です。以降、この観測値は記録されません",
    ),
    (
        "observer {} read what it did not declare, or no number; that is left out",
        "オブザーバー {} が、宣言していない観測値または数値でない値を返しました。その値は記録していません",
    ),
    (
        "observer {} hangs; it is left out from here on",
        "オブザーバー {} が応答しません。以降、この観測値は記録されません",
    ),
    ("it was waited for {} s", "{} 秒待ちました"),
    ("connecting to {} failed: {}", "{1} への接続に失敗しました: {2}"),
    (
        "check user and password: --password-env NAME, or password_env in the plan",
        "ユーザー名とパスワードを確認してください(--password-env またはプランの password_env)",
    ),
    ("is the server running? {}", "サーバーは起動していますか? {}"),
    ("is the server running, and is this its port? {}", "サーバーは起動していますか? ポートは正しいですか? {}"),
    (
        "look into the server's error log: SHOW VARIABLES LIKE 'log_error' tells its path",
        "サーバーのエラーログを確認してください。場所は SHOW VARIABLES LIKE 'log_error' で分かります",
    ),
    ("reading the server's variables failed: {}", "サーバー変数の読み取りに失敗しました: {}"),
    // What is looked at before a trial.
    ("the server does not allow so many connections", "サーバーの接続数の上限を超えます"),
    ("max_connections {}, {} in use by others, {} wanted", "max_connections {1}、ほかで使用中 {2}、必要 {3}"),
    ("others are connected to the server", "ほかの接続がサーバーにあります"),
    ("others are at work on the server", "ほかの処理がサーバーで動いています"),
    ("{} connections besides ours", "Tenbin 以外の接続 {} 本"),
    ("the server does not allow so many prepared statements", "サーバーのプリペアド文の上限を超えます"),
    (
        "the server does not take statements as long as the workload sends",
        "ワークロードが送る文の長さがサーバーの上限を超えます",
    ),
    ("max_allowed_packet {}, statements of up to {} bytes", "max_allowed_packet {1}、文の長さは最大 {2} バイト"),
    ("the account lacks privileges that the run needs", "アカウントに実行に必要な権限がありません"),
    ("privileges of {} missing in {}: {}", "{2} で {1} に不足している権限: {3}"),
    ("{} (as an administrator)", "{}(管理者として)"),
    ("the address leads to more than one server", "接続先のアドレスの先に複数のサーバーがあります"),
    (
        "give the address of one server; to measure several as one, name them: mysql://…?hosts=a:3306,b:3307",
        "1 台のサーバーのアドレスを指定してください。複数をまとめて測定する場合は mysql://…?hosts=a:3306,b:3307 のように列挙してください",
    ),
    ("the server is read-only", "サーバーは読み取り専用です"),
    ("the server is a replica", "サーバーはレプリカです"),
    (
        "use a read-only workload such as oltp_read_only, or the address of the source",
        "oltp_read_only などの読み取り専用ワークロードか、ソースのアドレスを使ってください",
    ),
    (
        "what is written to the server goes to its replicas too",
        "このサーバーへの書き込みは、そのレプリカにも反映されます",
    ),
    ("whether the server is a replica could not be seen", "サーバーがレプリカかどうかを確認できませんでした"),
    (
        "the server is a replica: rows written to it would make its data differ from its source's and may stop replication",
        "サーバーはレプリカです。書き込むとデータがソースと食い違い、レプリケーションが止まるおそれがあります",
    ),
    (
        "the server is read-only: nothing is written to it, also by an account that could",
        "サーバーは読み取り専用です。書き込み権限のあるアカウントでも書き込みません",
    ),
    (
        "give the address of the source, or use a workload that only reads, such as oltp_read_only; to write here all the same: --allow write-replica, or allow = [\"write-replica\"] in the plan's target",
        "ソースのアドレスを指定するか、oltp_read_only などの読み取り専用ワークロードを使ってください。それでも書き込むには --allow write-replica、またはプランの対象に allow = [\"write-replica\"] を指定してください",
    ),
    (
        "this run writes to a replica or a read-only server, as it was allowed to",
        "許可の指定により、レプリカまたは読み取り専用のサーバーに書き込みます",
    ),
    (
        "{} would write into tables that Tenbin did not make",
        "{} は、Tenbin が作成したものではないテーブルに書き込もうとしています",
    ),
    ("{}{} in {} without a row in tenbin_mark", "{3} の {1}{2} が tenbin_mark に記録されていません"),
    (
        "use a workload that only reads, or an empty schema; if the rows may be changed: --allow write-unmarked, or allow = [\"write-unmarked\"] in the plan's target",
        "読み取り専用のワークロードか、空のスキーマを使ってください。行を変更してよい場合は --allow write-unmarked、またはプランの対象に allow = [\"write-unmarked\"] を指定してください",
    ),
    (
        "the tables could not be locked against other runs of Tenbin",
        "Tenbin のほかの実行に対してテーブルをロックできませんでした",
    ),
    (
        "another run or load of Tenbin is under way on the tables in {}",
        "{} のテーブルは、Tenbin の別の実行またはロードが使用中です",
    ),
    (
        "wait until it has ended, or use another schema; to use the tables beside it as they are: --allow share-tables, or allow = [\"share-tables\"] in the plan's target",
        "終わるまで待つか、別のスキーマを使ってください。並行してそのまま使うには --allow share-tables、またはプランの対象に allow = [\"share-tables\"] を指定してください",
    ),
    (
        "the schema {} belongs to the server itself: Tenbin makes, fills and drops nothing in it",
        "スキーマ {} はサーバー自身のものです。Tenbin はそこで作成・ロード・削除を行いません",
    ),
    (
        "loading will be slower: the server does not take LOAD DATA LOCAL",
        "サーバーが LOAD DATA LOCAL を受け付けないため、ロードが遅くなります",
    ),
    ("durability as it is set", "耐久性に関する設定"),
    (
        "the server does not wait for its disk: a crash of the machine destroys the data",
        "サーバーがディスクへの書き込みを待ちません。マシンが停止するとデータが壊れます",
    ),
    (
        "client and server share this machine: throughput is less than with a client of its own",
        "クライアントとサーバーが同じマシンにあります。別のマシンから負荷をかける場合よりスループットは低くなります",
    ),
    ("the processor's speed follows the load", "CPU の周波数が負荷に応じて変わります"),
    ("something else is running on this machine", "このマシンでほかの処理が動いています"),
    (
        "load average {} on {} cores; {} other tasks run or wait for a processor",
        "{2} コアでロードアベレージ {1}。ほかに {3} タスクが実行中または CPU 待ち",
    ),
    ("the hypervisor takes processor time away", "ハイパーバイザーが CPU 時間を奪っています"),
    ("steal {} % since boot", "起動以降のスティール {}%"),
    ("not everything could be looked at", "一部を確認できませんでした"),
    ("no event loop can be made", "イベントループを作成できません"),
    // While clients are driven.
    ("stopped by the user", "ユーザーが停止しました"),
    ("stopped at once by the user", "ユーザーが即時停止しました"),
    (
        "stopped by the user while the last transactions were under way",
        "最後のトランザクションの実行中にユーザーが停止しました",
    ),
    ("stopped by the user while the clients were connecting", "クライアントの接続中にユーザーが停止しました"),
    (
        "stopped by the user while the last transactions were under way",
        "最後のトランザクションの実行中にユーザーが停止しました",
    ),
    ("stopped by the user while waiting for the server to settle", "サーバーの安定待ち中にユーザーが停止しました"),
    (
        "the clients could not keep up with the asked rate, and the plan says to stop then",
        "クライアントが指定レートに追いつけず、プランの指定により停止しました",
    ),
    ("{} starts were waiting for one of {} clients", "{2} クライアントの空きを {1} 件が待っていました"),
    (
        "ask for a lower rate, give more clients, or set overload = \"queue\" (bench: --overload queue)",
        "レートを下げる、クライアントを増やす、または overload = \"queue\" (bench: --overload queue) を指定してください",
    ),
    (
        "all clients lost their connections, and the plan says not to open new ones",
        "すべてのクライアントが接続を失い、プランの指定により再接続しませんでした",
    ),
    (
        "clients lost their connections before they had done their part, and the plan says not to open new ones",
        "担当分を終える前にクライアントが接続を失い、プランの指定により再接続しませんでした",
    ),
    ("{} of {} clients came to their end", "{2} クライアントのうち {1} が最後まで実行しました"),
    (
        "see in the server's log why it closes them, or set on_lost = \"reconnect\" (bench: --on-lost reconnect)",
        "切断の理由をサーバーのログで確認するか、on_lost = \"reconnect\" (bench: --on-lost reconnect) を指定してください",
    ),
    (
        "to count such errors and go on: on_error = \"count\" (bench: --on-error count)",
        "エラーを数えて続行するには on_error = \"count\" (bench: --on-error count) を指定してください",
    ),
    (
        "the clients of workload {} could not be made: a panic",
        "ワークロード {} のクライアントを作成できませんでした(異常終了)",
    ),
    ("worker {} panicked: a fault of Tenbin", "ワーカー {} が異常終了しました。Tenbin の不具合です"),
    (
        "client {} panicked: a fault of the workload or of Tenbin",
        "クライアント {} が異常終了しました。ワークロードまたは Tenbin の不具合です",
    ),
    ("only {} of {} threads could be started", "{2} スレッドのうち {1} しか起動できませんでした"),
    (
        "raise the limit of processes (ulimit -u), or set load.workers to a small number",
        "プロセス数の上限(ulimit -u)を上げるか、load.workers に小さい値を指定してください",
    ),
    ("an event loop could not be made: {}", "イベントループを作成できませんでした: {}"),
    ("raise the limit of open files (ulimit -n)", "オープンファイル数の上限(ulimit -n)を上げてください"),
    (
        "{} clients need more open files than this process may have",
        "{} クライアントに必要なオープンファイル数が、このプロセスの上限を超えます",
    ),
    ("{} connections and {} others make {}; the limit is {}", "接続 {1} とその他 {2} で計 {3}。上限は {4}"),
    (
        "ulimit -Hn {} (as root), or at most {} clients",
        "root で ulimit -Hn {1} とするか、クライアントを {2} 以下にしてください",
    ),
    ("an arrival rate of {} per second cannot be kept", "毎秒 {} 件のレートは維持できません"),
    ("give a rate above 0 and up to {} per second", "0 より大きく毎秒 {} 件以下のレートを指定してください"),
    (
        "the clients of {} keep their own pace, so a rate cannot be set",
        "{} のクライアントは自分のペースで動くため、レートを指定できません",
    ),
    ("a drive needs at least one client", "少なくとも 1 クライアントが必要です"),
    ("a reporting interval of 0 ms never ends", "0 ms の報告間隔は終わりません"),
    ("give an interval of at least 1 ms", "1 ms 以上の間隔を指定してください"),
    // What reading a run directory finds.
    ("{} is not a run directory", "{} は実行ディレクトリではありません"),
    (
        "trial {} is not there: it was not begun, or its folder is lost",
        "試行 {} がありません。開始されなかったか、フォルダーが失われています",
    ),
    (
        "the run has no end: it goes on, was killed, or the end of its log is lost",
        "実行に終わりがありません。継続中か、強制終了されたか、記録の末尾が失われています",
    ),
    ("the beginning of the run's log is lost", "実行の記録の先頭が失われています"),
    (
        "plan and trials are taken from plan.toml and the folders of the trials that had begun",
        "プランと試行は、plan.toml と開始済みの試行のフォルダーから復元しました",
    ),
    (
        "what trial {} was to do is lost: its {} events are left out",
        "試行 {1} の内容が失われているため、その {2} 件の記録は含めていません",
    ),
    (
        "trial {} has no end: the run was killed in it, or the end of its log is lost",
        "試行 {} に終わりがありません。途中で強制終了されたか、記録の末尾が失われています",
    ),
    (
        "{} of {} lines of {} cannot be read and are left out",
        "{3} の {2} 行のうち {1} 行を読めないため、含めていません",
    ),
    ("the first is line {}: {}", "最初は {1} 行目: {2}"),
    ("{} cannot be read", "{} を読めません"),
    // tpcc: the load.
    (
        "the cards or weights of the five transactions are all 0",
        "五つのトランザクションの枚数(または重み)がすべて 0 です",
    ),
    ("give one of them more, such as -o new_order=45", "どれか一つを増やしてください(例: -o new_order=45)"),
    // tpcc_start -m
    (
        "connections work in {} databases in turn, {} to {}",
        "接続は {1} 個のデータベース({2} から {3})に順に割り当てられます",
    ),
    ("{} warehouses in each", "それぞれ {} 倉庫"),
    ("the run was recorded by a newer Tenbin", "より新しい Tenbin の記録です"),
    ("the run directory {} cannot be written", "実行ディレクトリ {} に書き込めません"),
];

/// A stretch of a sentence: ours, or what was seen and stays as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece<'t> {
    /// Our words.
    Ours(&'static str),
    /// What was seen: a path, a number, a server's message.
    Seen(&'t str),
}

/// A sentence of ours in Japanese, in pieces; `None` when it is not ours and stays as it came.
pub fn japanese(text: &str) -> Option<Vec<Piece<'_>>> {
    PHRASES.iter().find_map(|(en, ja)| Some(filled(ja, &seen(en, text)?)))
}

/// Words of ours that stand at places of a sentence.
const NOUNS: &[(&str, &str)] = &[
    ("rows", "行"),
    ("tables", "テーブル"),
    ("files", "ファイル"),
    ("bytes", "バイト"),
    ("the server is on another machine", "サーバーは別のマシンにあります"),
    (
        "none of the processes seen on this machine is known to be the server",
        "このマシンのプロセスの中にサーバーを特定できません",
    ),
    ("the server does not say where its data are", "サーバーがデータディレクトリを返しません"),
    (
        "the server runs in a container, whose file systems are not seen",
        "サーバーはコンテナー内で動いており、そのファイルシステムは見えません",
    ),
];

/// A sentence in the language asked for; `None` when it is not ours and stays as it came.
pub fn said(text: &str, language: Language) -> Option<String> {
    if language == Language::English {
        return Some(text.to_owned());
    }
    let pieces = japanese(text)?;
    Some(
        pieces
            .into_iter()
            .map(|p| match p {
                Piece::Ours(t) | Piece::Seen(t) => t,
            })
            .collect(),
    )
}

/// A problem in the language asked for, each part as far as it is ours.
pub fn problem(problem: &Problem, language: Language) -> Problem {
    let told = |text: &String| said(text, language).unwrap_or_else(|| text.clone());
    Problem {
        what: told(&problem.what),
        evidence: problem.evidence.as_ref().map(told),
        mend: problem.mend.as_ref().map(told),
    }
}

/// What stands at the places of a pattern, when the text fits it.
fn seen<'t>(pattern: &str, text: &'t str) -> Option<Vec<&'t str>> {
    let mut parts = pattern.split("{}");
    let mut rest = text.strip_prefix(parts.next()?)?;
    let mut found = Vec::new();
    let parts: Vec<&str> = parts.collect();
    for (i, part) in parts.iter().enumerate() {
        let last = i + 1 == parts.len();
        let end = match (last, part.is_empty()) {
            (true, true) => rest.len(),
            (true, false) => rest.ends_with(part).then(|| rest.len() - part.len())?,
            (false, _) => rest.find(part)?,
        };
        found.push(&rest[..end]);
        rest = &rest[end + part.len()..];
    }
    rest.is_empty().then_some(found)
}

fn filled<'t>(pattern: &'static str, values: &[&'t str]) -> Vec<Piece<'t>> {
    let mut out = Vec::new();
    let mut rest = pattern;
    let mut next = 0;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((number, after)) = after.split_once('}') else { break };
        out.push(Piece::Ours(before));
        let place = number.parse::<usize>().map_or(next, |n| n - 1);
        next += 1;
        let value = values.get(place).copied().unwrap_or("–");
        let noun = NOUNS.iter().find(|(en, _)| *en == value);
        out.push(noun.map_or(Piece::Seen(value), |(_, ja)| Piece::Ours(ja)));
        rest = after;
    }
    out.push(Piece::Ours(rest));
    out.retain(|p| !matches!(p, Piece::Ours("")));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_seen_goes_to_its_place() {
        let ja = said("loaded 25,000 rows in 3 s (8,333 rows/s, 4 streams)", Language::Japanese);
        assert_eq!(ja.as_deref(), Some("25,000 行を 3 s でロードしました(毎秒 8,333 行、4 並列)"));
        assert_eq!(said("Table 'x' doesn't exist", Language::Japanese), None);
        assert_eq!(said("anything", Language::English).as_deref(), Some("anything"));
        assert_eq!(seen("a {} b {}", "a 1 b 2 b 3"), Some(vec!["1", "2 b 3"]));
        assert_eq!(seen("{} failed: {}", "x failed: y"), Some(vec!["x", "y"]));
        assert_eq!(seen("a", "ab"), None);
    }

    #[test]
    fn both_sides_have_the_same_places() {
        for (en, ja) in PHRASES {
            let places = en.matches("{}").count();
            let all = (1..=places).all(|n| ja.contains(&format!("{{{n}}}")));
            assert!(ja.matches("{}").count() == places || all && ja.matches('{').count() == places, "{en} | {ja}");
        }
    }
}
