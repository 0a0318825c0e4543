//! Times of the test command: its steps, tests and files, slowest first.

use std::{collections::BTreeMap, fmt::Write as _, path::Path, time::Duration};

use roxmltree::Document;

/// How many of the slowest are shown.
const SLOWEST: usize = 10;

/// How many output lines of a failed test are shown.
const SAID_LINES: usize = 12;

/// A finished step of the test command.
pub(crate) struct Ended {
    pub(crate) step: &'static str,
    pub(crate) took: Duration,
    /// Its time limit on two quiet cores.
    pub(crate) may_take: Duration,
    /// The reason of its failure, if it failed.
    pub(crate) failure: Option<String>,
}

/// Results from the reports of test runners.
#[derive(Default)]
pub(crate) struct Tests {
    /// The file, the name and the seconds of each test.
    took: Vec<(String, String, f64)>,
    /// The failed tests, with the first lines of their output.
    failed: Vec<String>,
    skipped: usize,
}

impl Tests {
    /// Reads JUnit reports of nextest and of the page's tests.
    pub(crate) fn read(files: &[impl AsRef<Path>]) -> Self {
        let mut tests = Self::default();
        for file in files {
            // A step that was not reached, or broke off, has no report.
            if let Ok(text) = std::fs::read_to_string(file) {
                let name = file.as_ref().file_stem().unwrap_or_default();
                tests.add(&name.to_string_lossy(), &text);
            }
        }
        tests
    }

    /// Adds a report. nextest groups tests by binary, Node.js by file; ungrouped tests get the name of the
    /// report.
    fn add(&mut self, name: &str, report: &str) {
        // Node.js writes failures with the colours of a terminal, which XML does not permit.
        let report = report.replace(|c: char| c.is_control() && !c.is_whitespace(), "");
        let report = match Document::parse(&report) {
            Ok(report) => report,
            Err(error) => return self.failed.push(format!("the report of {name} cannot be read: {error}")),
        };
        for test in report.descendants().filter(|node| node.has_tag_name("testcase")) {
            let child = |tag| test.children().find(|child| child.has_tag_name(tag));
            let suite = test.ancestors().find(|node| node.has_tag_name("testsuite"));
            let package = suite.and_then(|suite| suite.attribute("name")).unwrap_or(name);
            let name = test.attribute("name").unwrap_or_default();
            if child("skipped").is_some() {
                self.skipped += 1;
                continue;
            }
            if let Some(failure) = child("failure").or_else(|| child("error")) {
                let said = failure.text().unwrap_or_default().lines().filter(|line| !line.trim().is_empty());
                let said = said.take(SAID_LINES).map(|line| format!("\n    {line}"));
                self.failed.push(format!("{package} {name}{}", said.collect::<String>()));
            }
            let seconds = test.attribute("time").and_then(|time| time.parse().ok()).unwrap_or_default();
            let file = name
                .rsplit_once("::")
                .map_or(package.to_owned(), |(module, _)| format!("{package} {module}"));
            self.took.push((file, format!("{package} {name}"), seconds));
        }
    }

    /// The last line of a test run.
    fn closing_line(&self) -> String {
        let (failed, skipped) = (self.failed.len(), self.skipped);
        format!("{} passed, {failed} failed, {skipped} skipped", self.took.len().saturating_sub(failed))
    }
}

/// The final summary for people: the steps, the slowest tests and files, and failures.
pub(crate) fn report(steps: &[Ended], tests: &Tests) -> String {
    let mut text = String::from("\n");
    let mut slowest: Vec<&Ended> = steps.iter().collect();
    slowest.sort_by_key(|step| std::cmp::Reverse(step.took));
    writeln!(text, "{:>7} {:>9}  step", "took", "may take").expect("a string takes all");
    for Ended { step, took, may_take, failure } in &slowest {
        let failed = if failure.is_some() { "  FAILED" } else { "" };
        writeln!(text, "{:>7} {:>9}  {step}{failed}", shown(*took), shown(*may_take))
            .expect("a string takes all");
    }
    let total = |of: fn(&Ended) -> Duration| shown(steps.iter().map(of).sum());
    writeln!(text, "{:>7} {:>9}  all", total(|step| step.took), total(|step| step.may_take))
        .expect("a string takes all");
    let mut files = BTreeMap::<&str, f64>::new();
    for (file, _, seconds) in &tests.took {
        *files.entry(file).or_default() += seconds;
    }
    if !tests.took.is_empty() {
        text += &list("slowest tests", tests.took.iter().map(|(_, name, seconds)| (name.as_str(), *seconds)));
        text += &list("slowest files", files);
    }
    text.push('\n');
    for test in &tests.failed {
        writeln!(text, "failed: {test}").expect("a string takes all");
    }
    for Ended { step, failure, .. } in steps {
        if let Some(why) = failure {
            writeln!(text, "failed: {step}: {why}").expect("a string takes all");
        }
    }
    for Ended { step, took, may_take, .. } in slowest.iter().filter(|step| step.took > step.may_take) {
        let (took, may_take) = (shown(*took), shown(*may_take));
        writeln!(text, "slow: {step} took {took} and may take {may_take}").expect("a string takes all");
    }
    text + &tests.closing_line()
}

/// A list of the slowest, by seconds.
fn list<'a>(title: &str, all: impl IntoIterator<Item = (&'a str, f64)>) -> String {
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let lines = all.iter().take(SLOWEST).map(|(name, seconds)| format!("{seconds:6.1} s  {name}\n"));
    format!("\n{title}\n{}", lines.collect::<String>())
}

/// Minutes and seconds.
fn shown(time: Duration) -> String {
    format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As nextest and Node.js write it.
    const REPORT: &str = r#"<testsuites>
        <testsuite name="lusoria::it">
            <testcase name="live::a_turn_is_played" classname="lusoria::it" time="2.5"/>
            <testcase name="live::a_turn_is_refused" classname="lusoria::it" time="1.5"><failure>\u{1b}[2mno
            not this turn</failure></testcase>
        </testsuite>
        <testsuite name="the page"><testsuite name="home">
            <testcase name="what &amp; why" time="0.25" classname="test"/>
            <testcase name="left out" time="0" classname="test"><skipped/></testcase>
        </testsuite></testsuite>
        <testcase name="alone" time="0.125" classname="test"/>
    </testsuites>"#;

    #[test]
    fn the_slowest_come_first_and_what_is_wrong_last() {
        let mut tests = Tests::default();
        tests.add("unit", &REPORT.replace(r"\u{1b}", "\u{1b}"));
        let step = |step, took, may_take, failure: Option<&str>| Ended {
            step,
            took: Duration::from_secs(took),
            may_take: Duration::from_secs(may_take),
            failure: failure.map(str::to_owned),
        };
        let steps = [step("lint", 61, 60, None), step("tests", 130, 200, Some("exit status: 100"))];
        let expected = "
   took  may take  step
   2:10      3:20  tests  FAILED
   1:01      1:00  lint
   3:11      4:20  all

slowest tests
   2.5 s  lusoria::it live::a_turn_is_played
   1.5 s  lusoria::it live::a_turn_is_refused
   0.2 s  home what & why
   0.1 s  unit alone

slowest files
   4.0 s  lusoria::it live
   0.2 s  home
   0.1 s  unit

failed: lusoria::it live::a_turn_is_refused
    [2mno
                not this turn
failed: tests: exit status: 100
slow: lint took 1:01 and may take 1:00
3 passed, 1 failed, 1 skipped";
        assert_eq!(report(&steps, &tests), expected);
    }
}
