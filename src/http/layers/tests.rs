//! The metrics of requests.

use axum::{body::Body, routing::get};
use metrics_exporter_prometheus::PrometheusBuilder;
use tower::ServiceExt;

use super::*;

/// Requests with every kind of ending, as Prometheus sees them.
#[tokio::test(start_paused = true)]
async fn every_request_is_counted_by_its_route_however_it_ends() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let _here = metrics::set_default_local_recorder(&recorder);
    let inside = Router::new()
        .route("/answers/{n}", get(async || "here"))
        .route("/panics/{n}", get(async || -> () { panic!("on purpose") }))
        .route("/waits/{n}", get(std::future::pending::<()>));
    let all = counted(around(inside));
    let ask = |method: &str, path: &str| {
        let request = Request::builder().method(method).uri(path).body(Body::empty()).unwrap();
        all.clone().oneshot(request)
    };
    assert_eq!(ask("GET", "/answers/1").await.unwrap().status(), 200);
    assert_eq!(ask("GET", "/panics/1").await.unwrap().status(), 500);
    assert_eq!(ask("GET", "/waits/1").await.unwrap().status(), 503);
    assert_eq!(ask("INVENTED", "/elsewhere").await.unwrap().status(), 404);
    // The client disconnects.
    assert!(tokio::time::timeout(Duration::from_secs(1), ask("GET", "/waits/2")).await.is_err());
    let told = recorder.handle().render();
    for line in [
        r#"{method="GET",route="/answers/{n}",status="200"} 1"#,
        r#"{method="GET",route="/panics/{n}",status="500"} 1"#,
        r#"{method="GET",route="/waits/{n}",status="503"} 1"#,
        r#"{method="other",route="none",status="404"} 1"#,
        r#"{method="GET",route="/waits/{n}",status="gone"} 1"#,
    ] {
        let line = format!("lusoria_http_requests_total{line}");
        assert!(told.lines().any(|told| told == line), "{line}\n{told}");
    }
}
