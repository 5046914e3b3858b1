//! Everything the handlers share.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::clock::Clock;
use crate::config::Config;
use crate::limits::Limits;
use crate::live::{Hub, Settings};
use crate::metrics::Metrics;
use crate::store::Store;
use crate::study::Study;

/// Everything the handlers share.
#[derive(Clone)]
pub struct App {
    /// What the site was told.
    pub config: Arc<Config>,
    /// The time.
    pub clock: Clock,
    /// What is kept.
    pub store: Arc<dyn Store>,
    /// How much one network or player may do.
    pub limits: Arc<Limits>,
    /// Figures about the server.
    pub metrics: Arc<Metrics>,
    /// Places for work that takes a core: searches, hashes of passwords.
    pub work: Arc<Semaphore>,
    /// The games.
    pub hub: Hub,
    /// Analysis, endgame tables, puzzles.
    pub study: Arc<Study>,
    /// Changes with every start.
    pub boot: Arc<str>,
}

/// How handlers hold it. A clone is cheap.
pub type Shared = App;

impl App {
    /// Puts it together, and starts the tasks of the games: a runtime is needed.
    #[must_use]
    pub fn new(config: Config, clock: Clock, store: Arc<dyn Store>) -> App {
        let work = Arc::new(Semaphore::new(config.engines()));
        let metrics = Arc::<Metrics>::default();
        let tables = config.data.join("tables");
        let study =
            Arc::new(Study::new(tables, config.table_seeds, config.table_cache, config.engines()));
        let shelf = Arc::clone(&study.tables);
        let settings = Settings {
            think_ms: config.think_ms,
            work: Arc::clone(&work),
            metrics: Arc::clone(&metrics),
            tables: Some(Arc::new(move |rules| shelf.knowledge(rules))),
        };
        let hub = Hub::start(Arc::clone(&store), clock.clone(), settings);
        study.watch(Arc::new(hub.clone()));
        App {
            config: Arc::new(config),
            clock,
            store,
            limits: Arc::default(),
            metrics,
            work,
            hub,
            study,
            boot: crate::ids::random(8).into(),
        }
    }
}
