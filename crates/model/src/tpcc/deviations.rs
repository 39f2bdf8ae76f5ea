//! The deviations of a run from the specification, by clause: from the plan, and from what was found in the tables.

use super::options::{deferred, isolation, number, option, paced};
use super::{TPCC_MYSQL, found};
use crate::summary::TrialResult;
use crate::trial::Trial;
use std::collections::BTreeMap;

/// A deviation from the specification.
#[derive(Debug, Clone, PartialEq)]
pub struct Deviation {
    /// The clause.
    pub clause: &'static str,
    /// In English and Japanese.
    pub what: (String, String),
}

/// The deck, if it is neither that of the specification nor a multiple of it.
fn other_cards(trial: &Trial) -> Option<[u64; 5]> {
    if option(trial, "mix") != "cards" {
        return None;
    }
    let cards =
        ["new_order", "payment", "order_status", "delivery", "stock_level"].map(|name| number(trial, name) as u64);
    let one = cards[4];
    (one == 0 || cards != [10 * one, 10 * one, one, one, one]).then_some(cards)
}

/// Decimals of rates and of limits, bits of warehouse numbers, if any is less than required: as they were found,
/// or according to the data set's layout if they are unknown.
fn narrow(of: &TrialResult) -> Option<[u64; 3]> {
    let wide = [4, 2, 32];
    let by_name = if option(&of.trial, "layout") == "tpcc_mysql" { [2, 0, 16] } else { wide };
    let names = [found::RATE_DECIMALS, found::LIMIT_DECIMALS, found::WAREHOUSE_BITS];
    let found = names.map(|name| of.tables.get(name).and_then(|n| n.parse().ok()));
    let [rate, limit, bits] = std::array::from_fn(|at| found[at].unwrap_or(by_name[at]));
    (rate < wide[0] || limit < wide[1] || bits < wide[2]).then_some([rate, limit, bits])
}

/// The isolation level of the transactions, from the option or the server's settings.
fn level(trial: &Trial, server: Option<&BTreeMap<String, String>>) -> String {
    let said = isolation(trial);
    let names = ["transaction_isolation", "tx_isolation", "default_transaction_isolation"];
    let set = || names.iter().find_map(|name| server?.get(&format!("variable.{name}")));
    match said {
        "server" => set().map_or(said.to_owned(), |level| level.to_ascii_lowercase().replace(['-', ' '], "_")),
        _ => said.to_owned(),
    }
}

fn plural(n: u64) -> &'static str {
    if n == 1 { "" } else { "s" }
}

/// All deviations of a trial with this duration, number of warehouses and sets of tables, and these facts
/// about the server.
pub(super) fn deviations(
    of: &TrialResult,
    server: Option<&BTreeMap<String, String>>,
    seconds: f64,
    (warehouses, sets): (u64, u64),
) -> Vec<Deviation> {
    let trial = &of.trial;
    let mut all = Vec::new();
    let mut add = |clause, en: String, ja: String| all.push(Deviation { clause, what: (en, ja) });
    let terminals = trial.load.clients;
    if !paced(trial) {
        let en = "no keying and think times: terminals go on at once, so that few warehouses carry many transactions";
        add("5.2.5", en.into(), "キー入力時間と思考時間がありません。端末は直ちに次へ進みます".into());
    } else if let pace = number(trial, "pace")
        && pace != 1.0
    {
        add(
            "5.2.5",
            format!("keying and think times are {pace} times what it says"),
            format!("キー入力時間と思考時間を {pace} 倍にしています"),
        );
    }
    if u64::from(terminals) != warehouses * 10 {
        add(
            "4.2.2",
            format!(
                "{terminals} terminal{} on {warehouses} warehouse{}; it says ten for each",
                plural(terminals.into()),
                plural(warehouses)
            ),
            format!("倉庫 {warehouses} に対して端末 {terminals} です。規定は倉庫ごとに 10 です"),
        );
    }
    if sets > 1 {
        let (each, databases) = (warehouses / sets, of.tables.contains_key(found::DATABASES));
        let (what, what_ja) =
            if databases { ("databases", "データベース") } else { ("sets of tables", "表の組") };
        add(
            "1.2",
            format!(
                "{sets} {what} with {each} warehouse{} each: remote lines and payments stay within one, and each has items of its own",
                plural(each)
            ),
            format!(
                "倉庫 {each} の{what_ja}が {sets} あります。他倉庫の明細と支払はその中に限られ、品目もそれぞれにあります"
            ),
        );
    }
    if option(trial, "home") == "random" {
        let en = "terminals have no warehouse of their own: each transaction draws one";
        add("2.4.1.1", en.into(), "端末に固有の倉庫がなく、トランザクションごとに選びます".into());
    }
    if option(trial, "mix") == "weights" {
        add(
            "5.2.4.2",
            "the mix is drawn by weight and not steered to its minimums".into(),
            "トランザクションの比率は重みによる抽選で、最小比率への調整はありません".into(),
        );
    } else if let Some(cards) = other_cards(trial) {
        let cards = cards.map(|n| n.to_string()).join(":");
        add(
            "5.2.4.2",
            format!("the deck has {cards} cards of the five transactions; it says 10:10:1:1:1, or a multiple"),
            format!("五つのトランザクションの札は {cards} 枚です。規定は 10:10:1:1:1 またはその倍数です"),
        );
    }
    let as_tpcc_mysql = option(trial, "profile") == TPCC_MYSQL;
    if as_tpcc_mysql {
        add(
            "2.4.2.2",
            "s_ytd, s_order_cnt and s_remote_cnt stand still: tpcc-mysql's statements do not write them".into(),
            "s_ytd、s_order_cnt、s_remote_cnt は更新されません(tpcc-mysql の文が書きません)".into(),
        );
        add(
            "2.5.2.2",
            "c_ytd_payment and c_payment_cnt stand still: tpcc-mysql's statements do not write them, and consistency \
             condition 12 does not hold"
                .into(),
            "c_ytd_payment と c_payment_cnt は更新されません(tpcc-mysql の文が書きません)。整合性条件 12 は成り立ちません"
                .into(),
        );
        add(
            "2.6.2.2",
            "an order status by last name shows the orders of a customer drawn at random: tpcc-mysql's statements do not \
             tell who was found"
                .into(),
            "姓による注文照会では、無作為に選んだ顧客の注文を読みます(tpcc-mysql の文では該当顧客がわかりません)".into(),
        );
    }
    let level = level(trial, server);
    if as_tpcc_mysql {
        let en = format!("isolation level {level}; a delivery reads its oldest order without a lock");
        add("3.4", en, format!("分離レベルは {level} です。配送は最も古い注文をロックせずに読みます"));
    } else if level != "serializable" {
        let en = format!("isolation level {level}; rows that are written later are read with a lock");
        add("3.4", en, format!("分離レベルは {level} です。後で更新する行はロックして読みます"));
    }
    if deferred(trial) {
        add(
            "2.7.3.4",
            "the results of queued deliveries are counted in the run's events, not written to a file one by one".into(),
            "キューに入れた配送の結果は実行記録に数として残り、一件ずつのファイルにはなりません".into(),
        );
    } else {
        add(
            "2.7.2",
            "a delivery is carried out by its terminal and not queued; its time is held against the limit of deferred \
             ones"
                .into(),
            "配送はキューに入れず端末が実行します。所要時間は遅延実行の制限値と比べます".into(),
        );
    }
    if let Some([rate, limit, bits]) = narrow(of) {
        let en = format!(
            "tax and discount have {rate} decimals (it says 4), limits of credit {limit} (it says 2), numbers of \
             warehouses {bits} bits"
        );
        let ja = format!(
            "税率と割引率は小数 {rate} 桁(規定は 4 桁)、信用限度額は小数 {limit} 桁(規定は 2 桁)、倉庫番号は {bits} ビットです"
        );
        add("1.3", en, ja);
    }
    if of.tables.get(found::LOADED_BY).is_some_and(|who| who != found::TENBIN) {
        add(
            "2.1.6.1",
            "which constant the last names were loaded with (C-Load) is not known, so that of the run may be too near"
                .into(),
            "姓のロード時の定数(C-Load)が不明なため、実行時の定数との距離は保証されません".into(),
        );
        add(
            "4.3.3.1",
            "another program loaded the tables; whether the population is as it says was not looked at".into(),
            "表は他のプログラムがロードしたもので、初期データが規定どおりかは調べていません".into(),
        );
    } else {
        add(
            "4.3.3.1",
            "the population is dated 2020-01-01, so that equal seeds give equal rows".into(),
            "同じシード値から同じ行を作るため、初期データの日付は 2020-01-01 です".into(),
        );
    }
    if seconds < 7200.0 {
        let minutes = (seconds / 6.0).round() / 10.0;
        add(
            "5.5.2",
            format!("measured for {minutes} minutes; it says at least 120"),
            format!("測定は {minutes} 分です。規定は 120 分以上です"),
        );
    }
    add("3.5", "durability was not tested in this run".into(), "この実行では永続性を試験していません".into());
    add(
        "2.2",
        "terminals have no screens, menus or presentation services".into(),
        "端末に画面、メニュー、表示サービスはありません".into(),
    );
    add("7, 8, 9", "no price, no full disclosure, no audit".into(), "価格、完全な開示、監査はありません".into());
    all.sort_by_key(|d| d.clause.split(['.', ',']).filter_map(|n| n.trim().parse().ok()).collect::<Vec<u32>>());
    all
}
