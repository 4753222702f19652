use std::time::Duration;

use nexosim::model::{Context, Model, schedulable};
use nexosim::ports::{EventSinkReader, Output, SinkState, event_queue};
use nexosim::simulation::{Mailbox, SimInit, SimulationError};
use nexosim::time::MonotonicTime;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

const NODES: usize = 16;
const LINK: Duration = Duration::from_millis(1);

#[derive(Clone, Serialize, Deserialize)]
pub struct Packet {
    to: usize,
    born: MonotonicTime,
}

#[derive(Serialize, Deserialize)]
pub struct Node {
    pub next: Output<Packet>,
    pub delay: Output<Duration>,
    me: usize,
    rng: Pcg64Mcg,
}

#[Model]
impl Node {
    #[nexosim(init)]
    async fn init(&mut self, cx: &Context<Self>) {
        self.wait(cx);
    }

    #[nexosim(schedulable)]
    async fn fresh(&mut self, _: (), cx: &Context<Self>) {
        let to = (self.me + self.rng.random_range(1..NODES)) % NODES;
        let packet = Packet { to, born: cx.time() };
        cx.schedule_event(LINK, schedulable!(Self::leave), packet).unwrap();
        self.wait(cx);
    }

    pub async fn packet(&mut self, packet: Packet, cx: &Context<Self>) {
        if packet.to == self.me {
            self.delay.send(cx.time().duration_since(packet.born)).await;
            return;
        }
        cx.schedule_event(LINK, schedulable!(Self::leave), packet).unwrap();
    }

    #[nexosim(schedulable)]
    async fn leave(&mut self, packet: Packet) {
        self.next.send(packet).await;
    }

    fn wait(&mut self, cx: &Context<Self>) {
        let seconds = -0.01 * (1.0 - self.rng.random::<f64>()).ln();
        cx.schedule_event(Duration::from_secs_f64(seconds), schedulable!(Self::fresh), ()).unwrap();
    }
}

fn main() -> Result<(), SimulationError> {
    let boxes: Vec<Mailbox<Node>> = (0..NODES).map(|_| Mailbox::new()).collect();
    let (sink, mut delays) = event_queue(SinkState::Enabled);
    let mut bench = SimInit::new();
    let mut nodes = Vec::new();
    for me in 0..NODES {
        let mut node = Node {
            next: Output::default(),
            delay: Output::default(),
            me,
            rng: Pcg64Mcg::seed_from_u64(me as u64),
        };
        node.next.connect(Node::packet, &boxes[(me + 1) % NODES]);
        node.delay.connect_sink(sink.clone());
        nodes.push(node);
    }
    for (i, (node, mailbox)) in nodes.into_iter().zip(boxes).enumerate() {
        bench = bench.add_model(node, mailbox, &format!("node {i}"));
    }
    let mut simu = bench.init(MonotonicTime::EPOCH)?;
    simu.step_until(Duration::from_secs(1))?;
    let all: Vec<f64> = std::iter::from_fn(|| delays.try_read()).map(|d| d.as_secs_f64() * 1000.0).collect();
    println!("{} packets, {:.3} ms on average", all.len(), all.iter().sum::<f64>() / all.len() as f64);
    Ok(())
}
