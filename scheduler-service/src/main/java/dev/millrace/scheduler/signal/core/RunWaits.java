package dev.millrace.scheduler.signal.core;

import dev.millrace.scheduler.flow.core.definition.EventKind;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.signal.core.RunSignal.Address;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The open waits of one run and the signals for them, while one batch of changes is planned.
 *
 * <p>The version of the run's flow must fence the initial content. Each signal advances this version, so if a signal
 * and a wait cross, one of them sees the other. Not thread-safe.
 */
public final class RunWaits {
    /** Maximum number of signals that a run keeps for later waits. */
    public static final int KEPT_MAX = 1_000;
    /**
     * Maximum length, in characters, of the payloads of all signals that a run keeps or its open waits have received.
     */
    public static final int PAYLOADS_LENGTH_MAX = 4 * 1024 * 1024;

    private final Map<JobId, Open> open = new LinkedHashMap<>();
    private final List<RunSignal> kept = new ArrayList<>();
    private final Set<String> requests = new HashSet<>();
    private long payloadsLength;

    private record Open(OpenWait waiting, List<RunSignal> received) {}

    /** A signal that the run keeps, or that counts for the open wait {@code countsFor}. */
    public record Known(RunSignal signal, Optional<JobId> countsFor) {}

    /** The result of beginning a wait: the kept signals that it receives, and its outcome if they suffice. */
    public record Begun(List<RunSignal> taken, Optional<Outcome> end) {}

    /** Creates the waits and signals of a run, both in the order of their ids. */
    public RunWaits(List<OpenWait> waits, List<Known> signals) {
        waits.forEach(wait -> open.put(wait.id(), new Open(wait, new ArrayList<>())));
        for (Known known : signals) {
            requests.add(known.signal().requestId());
            payloadsLength += known.signal().payload().text().length();
            Optional<Open> counted = known.countsFor().map(open::get);
            counted.map(Open::received).orElse(kept).add(known.signal());
        }
    }

    /** Begins a wait. If the wait ends at once, it is not open afterwards. */
    public Begun begin(OpenWait wait) {
        Open begun = new Open(wait, new ArrayList<>());
        open.put(wait.id(), begun);
        List<RunSignal> taken = new ArrayList<>();
        Optional<Outcome> end = Optional.empty();
        for (RunSignal signal : List.copyOf(kept)) {
            if (end.isEmpty() && isAddressed(wait, signal) && takes(wait, signal) && !hasVoted(begun, signal)) {
                kept.remove(signal);
                taken.add(signal);
                end = count(begun, signal);
            }
        }
        return new Begun(taken, end);
    }

    /** Whether a signal with this idempotency key is kept, or was received by a wait that is open or ends here. */
    public boolean hasReceived(String requestId) {
        return requests.contains(requestId);
    }

    /** Receives a signal. */
    public Reception receive(RunSignal signal) {
        if (hasReceived(signal.requestId())) {
            return new Reception.Repeated();
        }
        Reception reception = accept(signal);
        switch (reception) {
            case Reception.Kept _, Reception.Counted _, Reception.Ended _ -> {
                requests.add(signal.requestId());
                payloadsLength += signal.payload().text().length();
            }
            case Reception.Repeated _,
                    Reception.NobodyWaits _,
                    Reception.Begun _,
                    Reception.WrongKind _,
                    Reception.TooMany _ -> {}
        }
        return reception;
    }

    private Reception accept(RunSignal signal) {
        if (payloadsLength + signal.payload().text().length() > PAYLOADS_LENGTH_MAX) {
            return new Reception.TooMany();
        }
        Optional<Open> found = open.values().stream()
                .filter(each -> isAddressed(each.waiting(), signal))
                .findFirst();
        if (found.isEmpty()) {
            return keep(signal);
        }
        OpenWait wait = found.get().waiting();
        if (signal.address() instanceof Address.StepToCome) {
            return new Reception.Begun();
        }
        if (!takes(wait, signal)) {
            return new Reception.WrongKind(wait);
        }
        if (hasVoted(found.get(), signal)) {
            return new Reception.Repeated();
        }
        return count(found.get(), signal)
                .<Reception>map(outcome -> new Reception.Ended(wait, outcome))
                .orElseGet(() -> new Reception.Counted(wait));
    }

    /** Ends a wait whose time limit has expired; empty if the wait is not open. */
    public Optional<Outcome> timeOut(JobId wait) {
        return Optional.ofNullable(open.remove(wait))
                .map(ended -> WaitOutcomes.timedOut(ended.waiting().spec(), ended.received()));
    }

    private Reception keep(RunSignal signal) {
        return switch (signal.address()) {
            case Address.Step _ ->
                new Reception.NobodyWaits(open.values().stream()
                        .map(each -> each.waiting().stepKey())
                        .toList());
            case Address.Name _, Address.StepToCome _ -> {
                if (kept.size() >= KEPT_MAX) {
                    yield new Reception.TooMany();
                }
                kept.add(signal);
                yield new Reception.Kept();
            }
        };
    }

    private Optional<Outcome> count(Open entry, RunSignal signal) {
        entry.received().add(signal);
        Optional<Outcome> end = WaitOutcomes.after(entry.waiting().spec(), entry.received());
        if (end.isPresent()) {
            open.remove(entry.waiting().id());
        }
        return end;
    }

    private static boolean takes(OpenWait wait, RunSignal signal) {
        return signal.address() instanceof Address.StepToCome
                ? takesEarly(wait.spec(), signal)
                : wait.spec().takes(signal.kind());
    }

    /**
     * Returns whether an answer counts that was sent before its wait began. At that time, nobody could validate it
     * against a form, and its sender could not know whether to approve or to complete.
     */
    private static boolean takesEarly(WaitSpec spec, RunSignal signal) {
        boolean fits = signal.kind() == SignalKind.DENY || spec.form().isEmpty();
        return spec.isForPeople() && fits && spec.allowsSelfApproval() && spec.mayAnswer(signal.who());
    }

    private static boolean isAddressed(OpenWait wait, RunSignal signal) {
        return switch (signal.address()) {
            case Address.Name(String name) ->
                wait.spec().kind() == EventKind.SIGNAL && wait.spec().name().equals(name);
            case Address.Step(String key) -> wait.stepKey().equals(key);
            case Address.StepToCome(String key) -> wait.stepKey().equals(key);
        };
    }

    /**
     * Returns whether a person has already answered. Each person counts once, except for denials, which end the wait.
     * Answers without a name always count.
     */
    private static boolean hasVoted(Open entry, RunSignal signal) {
        return entry.waiting().spec().isForPeople()
                && signal.kind() != SignalKind.DENY
                && !signal.who().isEmpty()
                && entry.received().stream().anyMatch(other -> other.who().equals(signal.who()));
    }
}
