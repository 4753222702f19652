use std::time::Duration;

use nexosim::model::{Context, Model, schedulable};
use nexosim::ports::{EventSinkReader, Output, SinkState, event_queue};
use nexosim::simulation::{Mailbox, SimInit, SimulationError};
use nexosim::time::MonotonicTime;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

const MEMBERS: usize = 64;
const JOBS: usize = 4;

#[derive(Serialize, Deserialize)]
pub struct Member {
    pub to: Vec<Output<()>>,
    pub received: Output<()>,
    me: usize,
    rng: Pcg64Mcg,
}

#[Model]
impl Member {
    #[nexosim(init)]
    async fn init(&mut self, cx: &Context<Self>) {
        for _ in 0..JOBS {
            self.pass(cx);
        }
    }

    pub async fn job(&mut self, _: (), cx: &Context<Self>) {
        self.received.send(()).await;
        self.pass(cx);
    }

    fn pass(&mut self, cx: &Context<Self>) {
        let mut to = self.me;
        if self.rng.random::<f64>() < 0.25 {
            to = self.rng.random_range(0..MEMBERS);
        }
        let delay = 0.1 - 0.9 * (1.0 - self.rng.random::<f64>()).ln();
        cx.schedule_event(Duration::from_secs_f64(delay), schedulable!(Self::leave), to).unwrap();
    }

    #[nexosim(schedulable)]
    async fn leave(&mut self, to: usize) {
        self.to[to].send(()).await;
    }
}

fn main() -> Result<(), SimulationError> {
    let boxes: Vec<Mailbox<Member>> = (0..MEMBERS).map(|_| Mailbox::new()).collect();
    let (sink, mut received) = event_queue(SinkState::Enabled);
    let mut bench = SimInit::new();
    let mut members = Vec::new();
    for me in 0..MEMBERS {
        let mut member = Member {
            to: (0..MEMBERS).map(|_| Output::default()).collect(),
            received: Output::default(),
            me,
            rng: Pcg64Mcg::seed_from_u64(me as u64),
        };
        for (to, mailbox) in member.to.iter_mut().zip(&boxes) {
            to.connect(Member::job, mailbox);
        }
        member.received.connect_sink(sink.clone());
        members.push(member);
    }
    for (i, (member, mailbox)) in members.into_iter().zip(boxes).enumerate() {
        bench = bench.add_model(member, mailbox, &format!("member {i}"));
    }
    let mut simu = bench.init(MonotonicTime::EPOCH)?;
    simu.step_until(Duration::from_secs(100))?;
    println!("{} events", std::iter::from_fn(|| received.try_read()).count());
    Ok(())
}
