package dev.millrace.flowtest;

import dev.millrace.scheduler.flow.core.definition.EventKind;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.schema.JsonSchemas;
import dev.millrace.scheduler.schema.SchemaInvalid;
import dev.millrace.scheduler.signal.core.OpenWait;
import dev.millrace.scheduler.signal.core.Reception;
import dev.millrace.scheduler.signal.core.RunSignal;
import dev.millrace.scheduler.signal.core.RunWaits;
import dev.millrace.scheduler.signal.core.SignalKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The waits for events of one run. {@link RunWaits} decides, as in the scheduler. */
final class SimulatedWaits {
    private final RunId run;
    private final IdSource ids;
    private final RunWaits waits = new RunWaits(List.of(), List.of());
    private final Map<JobId, OpenWait> open = new LinkedHashMap<>();
    private final Map<String, String> asked = new LinkedHashMap<>();

    SimulatedWaits(RunId run, IdSource ids) {
        this.run = run;
        this.ids = ids;
    }

    /** A wait that has ended. */
    record Ended(OpenWait waiting, Outcome outcome) {}

    /** Begins a wait. Returns its outcome if the signals that the run keeps suffice. */
    Optional<Outcome> begin(OpenWait wait) {
        if (wait.spec().kind() != EventKind.SIGNAL) {
            asked.putIfAbsent(wait.spec().name(), wait.stepKey());
        }
        Optional<Outcome> end = waits.begin(wait).end();
        if (end.isEmpty()) {
            open.put(wait.id(), wait);
        }
        return end;
    }

    /** Ends a wait whose time has passed, or that is withdrawn; empty if it is not open. */
    Optional<Outcome> timeOut(JobId wait) {
        open.remove(wait);
        return waits.timeOut(wait);
    }

    /** The first step that has waited for people, by the name under which it asked them. */
    Map<String, String> asked() {
        return asked;
    }

    /** Returns whether an open wait takes the signal. */
    boolean awaits(SentSignal signal) {
        return find(signal).isPresent();
    }

    private Optional<OpenWait> find(SentSignal signal) {
        return open.values().stream()
                .filter(wait -> switch (signal.target()) {
                    case SentSignal.Target.Name(String name) ->
                        wait.spec().kind() == EventKind.SIGNAL
                                && wait.spec().name().equals(name);
                    case SentSignal.Target.Step(String key) -> wait.stepKey().equals(key);
                })
                .findFirst();
    }

    /**
     * Receives a signal. Returns the wait that ends with it, if one does.
     *
     * @throws SimulationStopped if the scheduler would refuse the signal
     */
    Optional<Ended> receive(SentSignal sent) {
        Optional<OpenWait> wait = find(sent);
        if (wait.isEmpty() && sent.target() instanceof SentSignal.Target.Step(String key)) {
            throw refused(sent, "Step \"" + key + "\" does not wait. Steps that wait: " + open());
        }
        wait.ifPresent(found -> requireFits(found, sent));
        UUID id = ids.nextJob(run).value();
        RunSignal signal = new RunSignal(id, address(sent), kind(wait, sent), sent.payload(), sent.by(), id.toString());
        return switch (waits.receive(signal)) {
            case Reception.Kept _, Reception.Counted _, Reception.Repeated _ -> Optional.empty();
            case Reception.Ended(OpenWait waiting, Outcome outcome) -> {
                open.remove(waiting.id());
                yield Optional.of(new Ended(waiting, outcome));
            }
            case Reception.WrongKind(OpenWait waiting) ->
                throw refused(
                        sent,
                        "Step \"" + waiting.stepKey() + "\" waits for a signal, which nobody can deny: remove deny.");
            case Reception.NobodyWaits _, Reception.Begun _ -> throw refused(sent, "No step waits for it.");
            case Reception.TooMany _ ->
                throw refused(
                        sent,
                        "The run has reached its limit of signals: " + RunWaits.KEPT_MAX
                                + " that no step has waited for yet, or payloads of " + RunWaits.PAYLOADS_LENGTH_MAX
                                + " characters together.");
        };
    }

    private static SimulationStopped refused(SentSignal sent, String why) {
        return new SimulationStopped("The run refuses " + sent.phrase() + ". " + why);
    }

    private String open() {
        return open.isEmpty()
                ? "none."
                : String.join(
                                ", ",
                                open.values().stream().map(OpenWait::stepKey).toList()) + ".";
    }

    private static RunSignal.Address address(SentSignal sent) {
        return switch (sent.target()) {
            case SentSignal.Target.Name(String name) -> new RunSignal.Address.Name(name);
            case SentSignal.Target.Step(String key) -> new RunSignal.Address.Step(key);
        };
    }

    private static SignalKind kind(Optional<OpenWait> wait, SentSignal sent) {
        boolean isHuman =
                wait.filter(found -> found.spec().kind() == EventKind.HUMAN).isPresent();
        if (sent.denies()) {
            return SignalKind.DENY;
        }
        return isHuman ? SignalKind.COMPLETE : SignalKind.RESUME;
    }

    private static void requireFits(OpenWait wait, SentSignal sent) {
        if (wait.spec().isForPeople() && !wait.spec().mayAnswer(sent.by())) {
            throw refused(sent, "\"" + sent.by() + "\" is not among the people who may answer.");
        }
        Optional<Json> form = sent.denies() ? Optional.empty() : wait.spec().form();
        if (form.isPresent()) {
            try {
                JsonSchemas.compile(form.get()).check(sent.payload()).stream()
                        .findFirst()
                        .ifPresent(problem -> {
                            throw refused(sent, "Its payload does not fit the form: " + problem.message() + ".");
                        });
            } catch (SchemaInvalid invalid) {
                throw refused(sent, "The form of the step is no schema. " + invalid.problem());
            }
        }
    }
}
