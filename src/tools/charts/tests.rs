use super::*;

fn panel(title: &str, y: Axis, curves: Vec<Curve>) -> Panel {
    Panel { title: title.into(), x: Axis::linear("width b"), y, curves, level: None }
}

fn chart(panels: Vec<Panel>) -> String {
    let (title, note) = ("Leaves".to_owned(), "a note that is longer ".repeat(20));
    draw::svg(&Chart { title, note, columns: 2, panels })
}

fn points(heights: &[f64]) -> impl Iterator<Item = DataPoint> {
    (0..).map(f64::from).zip(heights).map(|(x, &y)| DataPoint::new(x, y))
}

#[test]
fn a_chart_names_its_panels_axes_and_curves() {
    let mut left = panel(
        "random trees",
        Axis::linear("leaves"),
        vec![Curve::line("SSS*", points(&[1.0, 2.0]))],
    );
    left.level = Some((1.5, "alpha-beta".into()));
    let right =
        panel("ordered", Axis::logarithmic("percent"), vec![Curve::marks("DUAL*", points(&[9.0]))]);
    let svg = chart(vec![left, right]);
    for text in [
        "Leaves",
        "random trees",
        "ordered",
        "width b",
        "leaves",
        "percent (logarithmic)",
        "SSS*",
        "DUAL*",
        "alpha-beta",
    ] {
        assert_eq!(
            svg.matches(&format!(">{text}</text>")).count(),
            if text == "width b" { 2 } else { 1 },
            "{text}"
        );
    }
}

#[test]
fn curves_with_the_same_name_appear_once_in_the_legend() {
    let curves = || vec![Curve::line("SSS*", points(&[1.0, 2.0]))];
    let svg = chart(vec![
        panel("a", Axis::linear("y"), curves()),
        panel("b", Axis::linear("y"), curves()),
    ]);
    assert_eq!(svg.matches(">SSS*</text>").count(), 1);
}

#[test]
fn categories_on_an_axis_are_labelled() {
    let names = vec!["killers".to_owned(), "history".to_owned()];
    let svg = chart(vec![panel(
        "",
        Axis::categorical("", names),
        vec![Curve::marks("x", points(&[0.0, 1.0]))],
    )]);
    assert!(svg.contains("killers") && svg.contains("history"));
}

#[test]
fn values_that_an_axis_cannot_show_do_not_break_the_chart() {
    for y in [Axis::linear("y"), Axis::logarithmic("y")] {
        for heights in [&[][..], &[0.0], &[0.0, f64::NAN, f64::INFINITY, 5.0], &[-3.0, 7e30]] {
            let svg = chart(vec![panel("", y.clone(), vec![Curve::line("x", points(heights))])]);
            assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"));
        }
        let beyond_zero = DataPoint { error: 2.0, ..DataPoint::new(0.0, 1.0) };
        let svg = chart(vec![panel("", y, vec![Curve::marks("x", [beyond_zero])])]);
        assert!(svg.contains("error") && !svg.contains("NaN") && !svg.contains("inf"));
    }
}

#[test]
fn the_error_of_an_unwritable_chart_names_the_file() {
    let chart = Chart { title: String::new(), note: String::new(), columns: 1, panels: Vec::new() };
    let error =
        chart.write_svg(Path::new("/nowhere/at/all.svg")).expect_err("there is no such place");
    assert!(error.to_string().starts_with("cannot draw /nowhere/at/all.svg: "), "{error}");
}

#[test]
fn a_chart_has_a_fixed_size_and_shrinks_in_a_narrow_window() {
    let svg = chart(vec![panel("", Axis::linear("y"), Vec::new())]);
    assert!(svg.contains(":root { max-width: 100%; height: auto; }"));
    let head = svg.split_once('>').expect("an element").0;
    for attribute in [r#"width="1040""#, "viewBox"] {
        assert!(head.contains(attribute), "{head}");
    }
}
