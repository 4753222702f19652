use std::time::Duration;

use nexosim::model::{Context, Model, schedulable};
use nexosim::ports::{EventSinkReader, Output, SinkState, event_queue};
use nexosim::simulation::{Mailbox, SimInit, SimulationError};
use nexosim::time::MonotonicTime;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

const PLACES: usize = 32;
const PEOPLE: u32 = 500;

#[derive(Serialize, Deserialize)]
pub struct Place {
    pub neighbours: [Output<()>; 2],
    pub recovered: Output<()>,
    first: u32,
    well: u32,
    sick: u32,
    rng: Pcg64Mcg,
}

#[Model]
impl Place {
    #[nexosim(init)]
    async fn init(&mut self, cx: &Context<Self>) {
        for _ in 0..self.first {
            self.infect(cx);
        }
    }

    #[nexosim(schedulable)]
    pub async fn contact(&mut self, _: (), cx: &Context<Self>) {
        if self.rng.random::<f64>() < self.well as f64 / PEOPLE as f64 {
            self.infect(cx);
        }
    }

    fn infect(&mut self, cx: &Context<Self>) {
        self.well -= 1;
        self.sick += 1;
        let end = exponential(&mut self.rng, 5.0);
        let mut t = exponential(&mut self.rng, 2.0);
        while t < end {
            if self.rng.random::<f64>() < 0.1 {
                let side = self.rng.random_range(0..2);
                cx.schedule_event(days(t), schedulable!(Self::travel), side).unwrap();
            } else {
                cx.schedule_event(days(t), schedulable!(Self::contact), ()).unwrap();
            }
            t += exponential(&mut self.rng, 2.0);
        }
        cx.schedule_event(days(end), schedulable!(Self::recover), ()).unwrap();
    }

    #[nexosim(schedulable)]
    async fn travel(&mut self, side: usize) {
        self.neighbours[side].send(()).await;
    }

    #[nexosim(schedulable)]
    async fn recover(&mut self) {
        self.sick -= 1;
        self.recovered.send(()).await;
    }
}

fn exponential(rng: &mut Pcg64Mcg, mean: f64) -> f64 {
    -mean * (1.0 - rng.random::<f64>()).ln()
}

fn days(t: f64) -> Duration {
    Duration::from_secs_f64(86_400.0 * t)
}

fn main() -> Result<(), SimulationError> {
    let boxes: Vec<Mailbox<Place>> = (0..PLACES).map(|_| Mailbox::new()).collect();
    let (sink, mut recovered) = event_queue(SinkState::Enabled);
    let mut bench = SimInit::new();
    let mut places = Vec::new();
    for i in 0..PLACES {
        let mut place = Place {
            neighbours: Default::default(),
            recovered: Output::default(),
            first: if i == 0 { 5 } else { 0 },
            well: PEOPLE,
            sick: 0,
            rng: Pcg64Mcg::seed_from_u64(i as u64),
        };
        place.neighbours[0].connect(Place::contact, &boxes[(i + PLACES - 1) % PLACES]);
        place.neighbours[1].connect(Place::contact, &boxes[(i + 1) % PLACES]);
        place.recovered.connect_sink(sink.clone());
        places.push(place);
    }
    for (i, (place, mailbox)) in places.into_iter().zip(boxes).enumerate() {
        bench = bench.add_model(place, mailbox, &format!("place {i}"));
    }
    let mut simu = bench.init(MonotonicTime::EPOCH)?;
    simu.step_until(days(365.0))?;
    let over = std::iter::from_fn(|| recovered.try_read()).count();
    println!("{} of {} people were sick in a year", over, PLACES * PEOPLE as usize);
    Ok(())
}
