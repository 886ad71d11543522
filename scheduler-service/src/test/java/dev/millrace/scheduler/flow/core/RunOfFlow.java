package dev.millrace.scheduler.flow.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Drives one run as a lane does, journal included, and checks after every event that the journal alone gives the same state. */
final class RunOfFlow {
    private final FlowModel model;
    private final Json input;
    private final FlowState state;
    private final List<FinishedStep> journal = new ArrayList<>();
    private final Map<String, StartJob> live = new LinkedHashMap<>();
    private final Random shuffling;
    private Optional<Outcome> end = Optional.empty();

    RunOfFlow(FlowModel model, String input) {
        this(model, input, new Random(1));
    }

    RunOfFlow(FlowModel model, String input, Random shuffling) {
        this.model = model;
        this.input = new Json(input);
        this.state = FlowState.fresh(model, Flows.RUN, this.input);
        this.shuffling = shuffling;
    }

    static RunOfFlow started(String definition, String input) {
        RunOfFlow run = new RunOfFlow(Flows.model(definition), input);
        run.start();
        return run;
    }

    Decision start() {
        return on(new FlowEvent.Started());
    }

    Decision succeed(String key, String result) {
        return on(new FlowEvent.StepEnded(new StepKey(key), new Outcome.Succeeded(new Json(result))));
    }

    Decision fail(String key, String message) {
        return on(new FlowEvent.StepEnded(new StepKey(key), new Outcome.Failed(error(message))));
    }

    Decision cancel() {
        return on(new FlowEvent.CancelRequested(error("asked for")));
    }

    static JobError error(String message) {
        return JobError.permanent("Error", message);
    }

    Decision on(FlowEvent event) {
        Decision decision = FlowMachine.decide(model, state, event);
        assertThat(FlowMachine.decide(model, state, event))
                .as("deciding twice, so that deciding changes nothing")
                .isEqualTo(decision);
        state.apply(event, decision);
        if (decision.rejection().isEmpty()) {
            note(event, decision);
        }
        if (state.phase() == FlowState.Phase.RUNNING || state.phase() == FlowState.Phase.FAILING) {
            assertThat(folded()).as("the state folded from the journal").isEqualTo(state);
        }
        return decision;
    }

    private void note(FlowEvent event, Decision decision) {
        if (event instanceof FlowEvent.StepEnded ended) {
            journal.add(new FinishedStep(ended.key(), ended.outcome()));
            live.remove(ended.key().text());
        }
        decision.records().forEach(row -> journal.add(new FinishedStep(row.key(), row.outcome())));
        decision.jobs().forEach(job -> live.put(job.key().text(), job));
        end = decision.end();
        if (end.isPresent()) {
            requireContainersEnded();
        }
    }

    /** Whatever way a run ends, each container that began has its end in the journal, once. */
    private void requireContainersEnded() {
        List<StepKey> keys = journal.stream().map(FinishedStep::key).toList();
        assertThat(keys).doesNotHaveDuplicates();
        assertThat(keys)
                .containsAll(keys.stream()
                        .filter(StepKey::isOpening)
                        .map(StepKey::step)
                        .toList());
    }

    private FlowState folded() {
        List<FinishedStep> rows = new ArrayList<>(journal);
        Collections.shuffle(rows, shuffling);
        Set<StepKey> keys = new HashSet<>();
        live.keySet().forEach(key -> keys.add(new StepKey(key)));
        return FlowState.fold(model, Flows.RUN, input, rows, keys);
    }

    FlowState state() {
        return state;
    }

    /** Jobs in progress, by key. */
    Map<String, StartJob> live() {
        return live;
    }

    String inputOf(String key) {
        StartJob job = live.get(key);
        assertThat(job).as("the job of " + key).isNotNull();
        return job == null ? "" : job.input().text();
    }

    Optional<Outcome> end() {
        return end;
    }

    /** The output of the run. */
    String output() {
        assertThat(end).get().isInstanceOf(Outcome.Succeeded.class);
        return ((Outcome.Succeeded) end.orElseThrow()).result().text();
    }

    /** The error of the run. */
    String failure() {
        assertThat(end).get().isInstanceOf(Outcome.Failed.class);
        return ((Outcome.Failed) end.orElseThrow()).error().message();
    }

    List<FinishedStep> journal() {
        return journal;
    }
}
