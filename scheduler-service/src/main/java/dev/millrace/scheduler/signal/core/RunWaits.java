package dev.millrace.scheduler.signal.core;

import dev.millrace.scheduler.flow.core.definition.StepAction.EventKind;
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
 * The open waits of one run and the signals for them, while one batch of changes is worked out. What it is filled with must be fenced by
 * the version of the run's flow: every signal raises it, so that of a signal and a wait that cross, one sees the other. Not thread-safe.
 */
public final class RunWaits {
    /** Most signals that a run keeps for waits to come. */
    public static final int KEPT_MAX = 1_000;
    /** Most characters of the payloads of all signals that a run keeps or that its open waits have. */
    public static final int PAYLOADS_LENGTH_MAX = 4 * 1024 * 1024;

    private final Map<JobId, Open> open = new LinkedHashMap<>();
    private final List<RunSignal> kept = new ArrayList<>();
    private final Set<String> requests = new HashSet<>();
    private long payloadsLength;

    private record Open(OpenWait waiting, List<RunSignal> received) {}

    /** A signal of the run that is kept, or counts for the open wait {@code countsFor}. */
    public record Known(RunSignal signal, Optional<JobId> countsFor) {}

    /** What a wait finds when it begins: the signals that were kept for it, and its end where these suffice. */
    public record Begun(List<RunSignal> taken, Optional<Outcome> end) {}

    /** Waits and signals in the order of their ids. */
    public RunWaits(List<OpenWait> waits, List<Known> signals) {
        waits.forEach(wait -> open.put(wait.id(), new Open(wait, new ArrayList<>())));
        for (Known known : signals) {
            requests.add(known.signal().requestId());
            payloadsLength += known.signal().payload().text().length();
            Optional<Open> counted = known.countsFor().map(open::get);
            counted.map(Open::received).orElse(kept).add(known.signal());
        }
    }

    /** A wait begins. Where it ends at once, it is not open afterwards. */
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

    /** A signal comes. */
    public Reception receive(RunSignal signal) {
        if (requests.contains(signal.requestId())) {
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

    /** The time limit of a wait is over; empty where the wait is not open. */
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
     * Whether an answer that came before its wait counts. Nobody could check it against a form then, and whoever sent it could not know
     * whether to approve or to complete.
     */
    private static boolean takesEarly(WaitSpec spec, RunSignal signal) {
        boolean fits = signal.kind() == SignalKind.DENY || spec.form().isEmpty();
        return spec.isForPeople() && fits && spec.mayAnswer(signal.who());
    }

    private static boolean isAddressed(OpenWait wait, RunSignal signal) {
        return switch (signal.address()) {
            case Address.Name(String name) ->
                wait.spec().kind() == EventKind.SIGNAL && wait.spec().name().equals(name);
            case Address.Step(String key) -> wait.stepKey().equals(key);
            case Address.StepToCome(String key) -> wait.stepKey().equals(key);
        };
    }

    /** People count once each, unless they deny: that ends the wait. Whoever says no name counts every time. */
    private static boolean hasVoted(Open entry, RunSignal signal) {
        return entry.waiting().spec().isForPeople()
                && signal.kind() != SignalKind.DENY
                && !signal.who().isEmpty()
                && entry.received().stream().anyMatch(other -> other.who().equals(signal.who()));
    }
}
