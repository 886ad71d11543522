package dev.millrace.scheduler.flow.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.graph.AffinityRules;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.state.FinishedStep;
import dev.millrace.scheduler.flow.core.state.FlowFold;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.flow.core.state.Journal;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.StoredJson;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Drives one run as a lane does, including its journal. After each event, checks that a fold over the journal yields
 * the same state.
 */
final class RunOfFlow {
    private final FlowModel model;
    private final Json input;
    private FlowState state;
    private final List<FinishedStep> journal = new ArrayList<>();
    private final Map<String, StartJob> live = new LinkedHashMap<>();
    private final Map<String, StartWait> waits = new LinkedHashMap<>();
    private final Map<String, StartRun> runs = new LinkedHashMap<>();
    private final Map<String, JobId> ids = new TreeMap<>();
    private long lastId;
    private final Set<String> groups = new TreeSet<>();
    private final List<String> story = new ArrayList<>();
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

    Decision fail(String key, JobError error) {
        return on(new FlowEvent.StepEnded(new StepKey(key), new Outcome.Failed(error)));
    }

    Decision failRetryably(String key, String message) {
        return on(new FlowEvent.StepEnded(
                new StepKey(key), new Outcome.Failed(new JobError("Error", message, "", true))));
    }

    Decision cancel() {
        return on(new FlowEvent.CancelRequested(error("asked for")));
    }

    /** Redoes what failed or was canceled, like the retry operation. */
    Decision retry() {
        cancelLive();
        return redo(RedoPlan.ofFailures(model, Flows.RUN, input, journal));
    }

    /** Redoes a step and everything after it, in the same run. Empty if that is not possible. */
    Optional<Decision> redoFrom(String step) {
        cancelLive();
        return RedoPlan.from(model, Flows.RUN, input, new StepKey(step), journal)
                .map(this::redo);
    }

    private void cancelLive() {
        ids.forEach((key, id) -> {
            StepKey step = new StepKey(key);
            journal.add(new FinishedStep(id, model.kind(step), step, new Outcome.Canceled(error("the run ended"))));
        });
        List.of(ids, live, waits, runs).forEach(Map::clear);
    }

    private Decision redo(RedoPlan plan) {
        state.pause(false);
        List<FinishedStep> resets = plan.resets().stream()
                .map(reset ->
                        new FinishedStep(nextId(), JobKind.RESET, reset.key(), new Outcome.Succeeded(reset.result())))
                .toList();
        List<FinishedStep> counted = new ArrayList<>(plan.keep(journal));
        resets.stream()
                .filter(reset -> !reset.outcome().equals(new Outcome.Succeeded(Json.NULL)))
                .forEach(counted::add);
        FlowState kept = FlowFold.of(model, Flows.RUN, input, counted, Set.of());
        journal.addAll(resets);
        state = folded();
        requireSame(kept);
        Decision decision = FlowMachine.reopen(model, state);
        story.add("done again: " + plan + " -> " + decision);
        noteDecision(decision);
        if (end.isEmpty()) {
            requireSame(folded());
            assertThat(ids).as("what the run waits for").isNotEmpty();
        }
        return decision;
    }

    static JobError error(String message) {
        return JobError.permanent("Error", message);
    }

    Decision on(FlowEvent event) {
        Optional<FlowState> forgotten =
                state.phase() == FlowState.Phase.ENDED ? Optional.empty() : Optional.of(folded(someStored()));
        Decision decision = FlowMachine.decide(model, state, event);
        story.add(event + " -> " + decision);
        forgotten.ifPresent(other -> assertThat(FlowMachine.decide(model, other, event))
                .as("what a state folded from the journal decides")
                .isEqualTo(decision));
        if (decision.rejection().isEmpty()) {
            note(event, decision);
        }
        if (state.phase() != FlowState.Phase.ENDED) {
            requireSame(folded());
            if (state.phase() != FlowState.Phase.NEW) {
                assertThat(ids).as("what the run waits for").isNotEmpty();
            }
        }
        return decision;
    }

    private void note(FlowEvent event, Decision decision) {
        switch (event) {
            case FlowEvent.StepEnded ended -> noteEnd(ended.key(), ended.outcome());
            case FlowEvent.SkipRequested skip -> {
                StepKey key = ids.keySet().stream()
                        .map(StepKey::new)
                        .filter(live -> live.step().equals(skip.key()))
                        .findFirst()
                        .orElseThrow();
                noteEnd(key, new Outcome.Skipped(skip.result()));
            }
            case FlowEvent.Started _, FlowEvent.CancelRequested _, FlowEvent.Paused _, FlowEvent.Resumed _ -> {}
        }
        noteDecision(decision);
    }

    private void noteEnd(StepKey step, Outcome outcome) {
        String key = step.text();
        JobId id = ids.remove(key);
        assertThat(id).isNotNull();
        if (id != null) {
            journal.add(new FinishedStep(id, model.kind(step), step, outcome));
        }
        live.remove(key);
        waits.remove(key);
        runs.remove(key);
    }

    private void noteDecision(Decision decision) {
        decision.records()
                .forEach(row -> journal.add(new FinishedStep(nextId(), row.kind(), row.key(), row.outcome())));
        decision.withdrawals().forEach(this::noteWithdrawal);
        decision.jobs().forEach(job -> live.put(note(job.key()), job));
        decision.waits().forEach(wait -> waits.put(note(wait.key()), wait));
        decision.runs().forEach(run -> runs.put(note(run.key()), run));
        end = decision.end();
        noteGroups(decision);
        if (end.isPresent()) {
            requireContainersEnded();
        }
    }

    /** Records the affinity groups, as a lane does. The journal must say that their containers are open. */
    private void noteGroups(Decision decision) {
        decision.records().forEach(row -> groups.removeIf(group -> AffinityRules.isEndedBy(group, row.key())));
        decision.jobs().forEach(job -> model.affinity().groupOf(job.key()).ifPresent(groups::add));
        if (end.isPresent()) {
            groups.clear();
        }
        Set<String> open = new HashSet<>(Set.of(AffinityRules.RUN));
        for (FinishedStep row : groups.isEmpty() ? List.<FinishedStep>of() : new Journal(journal).rows()) {
            if (row.key().isOpening()) {
                open.add(row.key().step().text());
            }
        }
        for (FinishedStep row : groups.isEmpty() ? List.<FinishedStep>of() : new Journal(journal).rows()) {
            if (row.key().mark().isEmpty()) {
                open.remove(row.key().text());
            }
        }
        assertThat(open).as("containers that are open").containsAll(groups);
    }

    private void noteWithdrawal(Withdrawal gone) {
        String key = gone.key().text();
        JobId id = ids.remove(key);
        assertThat(id).as("what is live of " + key).isNotNull();
        if (id != null) {
            gone.reason()
                    .ifPresent(reason -> journal.add(
                            new FinishedStep(id, model.kind(gone.key()), gone.key(), new Outcome.Canceled(reason))));
        }
        List.of(live, waits, runs).forEach(all -> all.remove(key));
    }

    /** Compares two states. A failure message contains only the parts that differ. */
    private void requireSame(FlowState folded) {
        if (!folded.equals(state)) {
            String one = state.toString();
            String other = folded.toString();
            int same = 0;
            while (same < Math.min(one.length(), other.length()) && one.charAt(same) == other.charAt(same)) {
                same++;
            }
            throw new AssertionError("The state folded from the journal differs: "
                    + one.substring(Math.max(0, same - 300), Math.min(one.length(), same + 300)) + "\n~~~ folded ~~~\n"
                    + other.substring(Math.max(0, same - 300), Math.min(other.length(), same + 300)));
        }
    }

    private JobId nextId() {
        return new JobId(new UUID(++lastId, 0));
    }

    private String note(StepKey key) {
        assertThat(ids.put(key.text(), nextId())).as("a second job of " + key).isNull();
        return key.text();
    }

    /** Checks that each container that began has exactly one end in the journal, however the run ended. */
    private void requireContainersEnded() {
        List<StepKey> keys = new Journal(journal)
                .rows().stream()
                        .map(FinishedStep::key)
                        .filter(key -> key.mark().filter(StepKey.Mark::isWait).isEmpty())
                        .toList();
        assertThat(keys).doesNotHaveDuplicates();
        assertThat(keys)
                .containsAll(keys.stream()
                        .filter(StepKey::isOpening)
                        .map(StepKey::step)
                        .toList());
    }

    /** Returns the journal with some results left in storage. */
    private List<FinishedStep> someStored() {
        return journal.stream()
                .map(row -> new FinishedStep(
                        row.id(),
                        row.kind(),
                        row.key(),
                        switch (row.outcome()) {
                            case Outcome.Succeeded(Json result)
                            when shuffling.nextBoolean() ->
                                new Outcome.Succeeded(Json.stored(new Elsewhere(result.text())));
                            case Outcome.Skipped(Json result)
                            when shuffling.nextBoolean() ->
                                new Outcome.Skipped(Json.stored(new Elsewhere(result.text())));
                            case Outcome other -> other;
                        }))
                .toList();
    }

    private record Elsewhere(String read) implements StoredJson {
        @Override
        public int storedBytes() {
            return read.length();
        }
    }

    private FlowState folded() {
        return folded(journal);
    }

    private FlowState folded(List<FinishedStep> finished) {
        List<FinishedStep> rows = new ArrayList<>(finished);
        Collections.shuffle(rows, shuffling);
        Set<StepKey> keys = new HashSet<>();
        ids.keySet().forEach(key -> keys.add(new StepKey(key)));
        FlowState folded = FlowFold.of(model, Flows.RUN, input, rows, keys);
        folded.pause(state.isPaused());
        return folded;
    }

    FlowModel model() {
        return model;
    }

    FlowState state() {
        return state;
    }

    /** The jobs in progress, by key. */
    Map<String, StartJob> live() {
        return live;
    }

    /** The waits in progress, by key. */
    Map<String, StartWait> waits() {
        return waits;
    }

    /** The runs that are being started, by key. */
    Map<String, StartRun> runs() {
        return runs;
    }

    /** Each event with its decision, to explain a failure of the test. */
    List<String> story() {
        return story;
    }

    /** The keys of everything in progress. */
    List<String> inProgress() {
        return List.copyOf(ids.keySet());
    }

    String inputOf(String key) {
        StartJob job = live.get(key);
        assertThat(job).as("the job of " + key).isNotNull();
        return job == null ? "" : job.input().text();
    }

    JobOptions optionsOf(String key) {
        StartJob job = live.get(key);
        assertThat(job).as("the job of " + key).isNotNull();
        return Objects.requireNonNull(job).options();
    }

    Optional<Outcome> end() {
        return end;
    }

    /** The output of the run. */
    String output() {
        assertThat(end).get().isInstanceOf(Outcome.Succeeded.class);
        return ((Outcome.Succeeded) end.orElseThrow()).result().text();
    }

    /** The error message of the run. */
    String failure() {
        assertThat(end).get().isInstanceOf(Outcome.Failed.class);
        return ((Outcome.Failed) end.orElseThrow()).error().message();
    }

    List<FinishedStep> journal() {
        return journal;
    }

    /** The outcomes of the rows, by key. */
    Map<String, Outcome> rows() {
        Map<String, Outcome> rows = new LinkedHashMap<>();
        journal.forEach(row -> rows.put(row.key().text(), row.outcome()));
        return rows;
    }
}
