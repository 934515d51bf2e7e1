//! Several pages in one file. The file opens with the first page; links between the pages work inside it.

use std::collections::HashMap;

use serde_json::{Value as Json, json};

use super::html::{Page, escape};
use super::script::script;

/// A page and its address in links.
pub(crate) struct NamedPage {
    pub name: String,
    pub html: String,
}

/// Returns one page that contains all pages and shows the first. `mark` identifies the task that wrote it.
pub(crate) fn bundle(title: &str, mark: &str, pages: &[NamedPage]) -> String {
    let content = format!(
        "<iframe id=\"view\" title=\"{}\"></iframe>\n<noscript><p>The pages need JavaScript.</p></noscript>\n",
        escape(title)
    );
    let page = Page {
        title,
        class: "",
        style: include_str!("bundle.css"),
        content: &content,
        data: packed(mark, pages),
        script: &script("tools/pages/bundle.js", &[]),
        has_boards: false,
    };
    page.to_html()
}

/// Returns each distinct line of all pages once, and the line numbers of each page. Pages of one kind
/// share their styles and scripts.
fn packed(mark: &str, pages: &[NamedPage]) -> Json {
    let mut lines: Vec<&str> = Vec::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut contents = Vec::new();
    for NamedPage { name, html } in pages {
        let of_page = html.split('\n').map(|line| {
            *numbers.entry(line).or_insert_with(|| {
                lines.push(line);
                lines.len() - 1
            })
        });
        contents.push(json!([name, of_page.collect::<Vec<_>>()]));
    }
    json!({ "mark": mark, "lines": lines, "pages": contents })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_can_be_restored_and_shared_lines_are_stored_once() {
        let page = |name: &str, own: &str| NamedPage {
            name: name.to_owned(),
            html: format!("<style>\nshared\n</style>\n{own}\n</script>\n"),
        };
        let pages = [page("index.html", "one"), page("a-1.html", "two")];
        let data = packed("1a", &pages);
        let lines: Vec<&str> =
            data["lines"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
        assert_eq!(lines.iter().filter(|line| **line == "shared").count(), 1);
        for (packed, page) in data["pages"].as_array().unwrap().iter().zip(&pages) {
            let numbers = packed[1].as_array().unwrap().iter();
            let text: Vec<_> =
                numbers.map(|number| lines[number.as_u64().unwrap() as usize]).collect();
            assert_eq!(
                (&packed[0], text.join("\n")),
                (&page.name.as_str().into(), page.html.clone())
            );
        }
        let text = bundle("<All>", "1a", &pages);
        assert!(text.contains("<title>&lt;All&gt;</title>"));
        assert_eq!(text.matches("</script>").count(), 2, "no page ends a script of the bundle");
    }
}
