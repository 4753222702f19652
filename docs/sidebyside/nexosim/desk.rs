use std::collections::VecDeque;
use std::time::Duration;

use nexosim::model::{Context, Model, schedulable};
use nexosim::ports::{EventSinkReader, Output, SinkState, event_queue};
use nexosim::simulation::{Mailbox, SimInit, SimulationError};
use nexosim::time::MonotonicTime;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub struct Desk {
    pub wait: Output<Duration>,
    clerks: u32,
    queue: VecDeque<MonotonicTime>,
    rng: Pcg64Mcg,
}

#[Model]
impl Desk {
    #[nexosim(init)]
    async fn init(&mut self, cx: &Context<Self>) {
        let after = minutes(&mut self.rng, 1.0);
        cx.schedule_event(after, schedulable!(Self::patient), ()).unwrap();
    }

    #[nexosim(schedulable)]
    async fn patient(&mut self, _: (), cx: &Context<Self>) {
        self.queue.push_back(cx.time());
        self.serve(cx).await;
        let after = minutes(&mut self.rng, 1.0);
        cx.schedule_event(after, schedulable!(Self::patient), ()).unwrap();
    }

    #[nexosim(schedulable)]
    async fn done(&mut self, _: (), cx: &Context<Self>) {
        self.clerks += 1;
        self.serve(cx).await;
    }

    async fn serve(&mut self, cx: &Context<Self>) {
        if self.clerks == 0 {
            return;
        }
        if let Some(came) = self.queue.pop_front() {
            self.clerks -= 1;
            self.wait.send(cx.time().duration_since(came)).await;
            let after = minutes(&mut self.rng, 2.5);
            cx.schedule_event(after, schedulable!(Self::done), ()).unwrap();
        }
    }
}

fn minutes(rng: &mut Pcg64Mcg, mean: f64) -> Duration {
    Duration::from_secs_f64(-60.0 * mean * (1.0 - rng.random::<f64>()).ln())
}

fn main() -> Result<(), SimulationError> {
    let mut desk = Desk {
        wait: Output::default(),
        clerks: 3,
        queue: VecDeque::new(),
        rng: Pcg64Mcg::seed_from_u64(1),
    };
    let (sink, mut waits) = event_queue(SinkState::Enabled);
    desk.wait.connect_sink(sink);
    let mut simu = SimInit::new()
        .add_model(desk, Mailbox::new(), "desk")
        .init(MonotonicTime::EPOCH)?;
    simu.step_until(Duration::from_secs(60 * 10_000))?;
    let all: Vec<f64> = std::iter::from_fn(|| waits.try_read()).map(|w| w.as_secs_f64() / 60.0).collect();
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    println!("{} patients waited {:.2} minutes on average", all.len(), mean);
    Ok(())
}
