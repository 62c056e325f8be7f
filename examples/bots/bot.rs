// A bot for the protocol of docs/protocol.md, with the standard library alone:
//     rustc -O bot.rs && holdem match program:./bot nit
// It looks at one decision at a time: how strong is the hand, what does a call cost, what is there to win.
use std::io::{self, BufRead, Write};

const RANKS: &str = "23456789TJQKA";
const STRONG: f64 = 0.8;
const BLUFFS: f64 = 0.1;

// ---- Reading JSON: the pieces of a text, without building anything. ----

/// How long the value is that a text begins with.
fn length(text: &str) -> usize {
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    for (at, letter) in text.bytes().enumerate() {
        match letter {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            b',' | b':' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

/// The items of a list; the names and values of an object, by turns.
fn parts(text: &str) -> Vec<&str> {
    let text = text.trim();
    let mut rest = text.get(1..text.len() - 1).unwrap_or("");
    let mut found = Vec::new();
    while !rest.is_empty() {
        let end = length(rest);
        found.push(rest[..end].trim().trim_matches('"'));
        rest = rest.get(end + 1..).unwrap_or("");
    }
    found
}

/// The value of a field of an object; "null" if it has none.
fn field<'a>(object: &'a str, name: &str) -> &'a str {
    parts(object).chunks(2).find(|pair| pair[0] == name).map_or("null", |pair| pair[1])
}

/// A number; None for "null".
fn number(value: &str) -> Option<f64> {
    value.parse().ok()
}

// ---- Playing. ----

/// A card as its rank, 0 to 12, and its suit.
fn card(text: &str) -> (usize, char) {
    let mut letters = text.chars();
    let rank = letters.next().and_then(|letter| RANKS.find(letter)).unwrap_or(0);
    (rank, letters.next().unwrap_or('?'))
}

fn cards(list: &str) -> Vec<(usize, char)> {
    parts(list).into_iter().map(card).collect()
}

/// How good a hand is, from 0 to 1, by simple rules.
fn strength(hole: &[(usize, char)], board: &[(usize, char)]) -> f64 {
    let all: Vec<_> = hole.iter().chain(board).collect();
    let of_rank = |rank: usize| all.iter().filter(|each| each.0 == rank).count();
    let of_suit = |suit: char| all.iter().filter(|each| each.1 == suit).count();
    let mut own: Vec<usize> = hole.iter().map(|each| each.0).collect();
    own.sort_unstable_by(|a, b| b.cmp(a));
    let top_two = own[0] + own.get(1).unwrap_or(&0);
    own.dedup();
    if board.is_empty() {
        let pair = if own.len() < hole.len() { 0.3 } else { 0.0 };
        let suited = if hole.iter().any(|each| of_suit(each.1) > 1) { 0.05 } else { 0.0 };
        return 0.15 + 0.02 * top_two as f64 + pair + suited;
    }
    let mut mine: Vec<usize> = own.iter().map(|&rank| of_rank(rank)).collect();
    mine.sort_unstable_by(|a, b| b.cmp(a));
    mine.push(0);
    let flush = hole.iter().any(|each| of_suit(each.1) >= 5);
    let straight = (0..9).any(|low| (low..low + 5).all(|rank| of_rank(rank) > 0));
    let pairs = (0..13).filter(|&rank| of_rank(rank) > 1).count();
    match (mine[0], mine[1]) {
        _ if flush || straight || (mine[0] >= 3 && pairs > 1) => 0.95,
        (3.., _) => 0.85,
        (2, 2) => 0.75,
        (2, _) => {
            let pair = own.iter().find(|&&rank| of_rank(rank) == 2);
            if pair >= board.iter().map(|each| &each.0).max() { 0.6 } else { 0.45 }
        }
        _ => 0.15 + 0.01 * own[0] as f64,
    }
}

/// The answer to a decision.
fn decide(m: &str) -> String {
    let of = |name: &str| number(field(m, name)).unwrap_or(0.0);
    let legal = field(m, "legal");
    let (free, call) = (field(legal, "check") == "true", number(field(legal, "call")).unwrap_or(0.0));
    let live = parts(field(m, "folded")).iter().filter(|&&folded| folded == "false").count();
    let share = strength(&cards(field(m, "hole_cards")), &cards(field(m, "board"))) - 0.04 * (live as f64 - 2.0);
    let raises = share >= STRONG || (free && of("random") < BLUFFS);
    let price = call / (of("pot") + call); // the share of the pot that a call needs
    let answer = match (number(field(legal, "raise_min")), number(field(legal, "raise_max"))) {
        (Some(least), Some(most)) if raises => {
            let bet = number(parts(field(m, "bets"))[of("seat") as usize]).unwrap_or(0.0);
            let chip = number(field(field(m, "game"), "smallest_chip")).unwrap_or(1.0);
            let total = ((bet + call + 2.0 * of("pot") / 3.0) / chip).floor() * chip;
            format!("\"raise\",\"to\":{}", total.min(most).max(least))
        }
        _ if free => "\"check\"".to_string(),
        _ if share >= price + 0.1 => "\"call\"".to_string(),
        _ => "\"fold\"".to_string(),
    };
    format!("{{\"id\":{},\"move\":{}}}", field(m, "id"), answer)
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let message = line?;
        match field(&message, "type") {
            "hello" => writeln!(out, "{{\"name\":\"rust bot\"}}")?,
            "decision" => writeln!(out, "{}", decide(&message))?,
            _ => {} // other messages need no answer
        }
        out.flush()?;
    }
    Ok(())
}
