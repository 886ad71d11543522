package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.run.Runs;
import dev.millrace.scheduler.signal.SignalDelivery.Message;
import dev.millrace.scheduler.signal.core.Reception;
import dev.millrace.scheduler.signal.core.RunSignal.Address;
import dev.millrace.scheduler.signal.core.SignalKind;
import dev.millrace.scheduler.signal.core.WaitSpec;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Lists the waits of runs, and delivers signals and answers to them. Blocking and thread-safe. */
public final class Waits {
    /** Maximum number of steps in an error message. */
    private static final int STEPS_NAMED_MAX = 20;

    private final Runs runs;
    private final WaitStore store;
    private final SignalDelivery delivery;
    private final LinkAnswers links;

    public Waits(Database database, Runs runs, SignalSender sender, IdSource ids) {
        this.runs = runs;
        this.store = new WaitStore(database);
        this.delivery = new SignalDelivery(sender, ids);
        this.links = new LinkAnswers(
                new WaitLinks(new ServerSecretStore(database)), new RevokedLinkStore(database), runs, store, delivery);
    }

    LinkAnswers links() {
        return links;
    }

    /**
     * Lists the waits of a run.
     *
     * @throws MillraceException with {@link ErrorCode#RUN_NOT_FOUND} if there is no such run
     */
    PageRequest.Page<WaitView> list(RunRef named, PageRequest page) {
        RunId run = runs.resolve(named);
        Optional<JobId> after =
                Optional.of(page.after()).filter(key -> !key.isEmpty()).map(Waits::id);
        return page.of(limit -> store.list(run, after, limit), wait -> wait.id().toString());
    }

    /** Lists the steps of all runs of a workspace that wait for people, as far as their runs lie in these folders. */
    PageRequest.Page<PendingWait> listPending(Workspace workspace, Optional<Set<String>> folders, PageRequest page) {
        Optional<JobId> after =
                Optional.of(page.after()).filter(key -> !key.isEmpty()).map(Waits::id);
        return page.of(
                limit -> store.listPending(workspace, folders, after, limit),
                pending -> pending.waiting().id().toString());
    }

    /** Sends a signal by name. Returns the key of the step that received it; empty if the signal is kept. */
    String signal(RunRef named, String name, Message message) {
        RunId run = runs.resolve(named);
        Optional<PastSignal> past = findPast(run, message);
        if (past.isPresent()) {
            requireSame(message, past.get(), past.get().name().equals(name));
            return past.get().taker();
        }
        return switch (delivery.send(run, new Address.Name(name), message)) {
            case Reception.Counted counted -> counted.waiting().stepKey();
            case Reception.Ended ended -> ended.waiting().stepKey();
            case Reception.Repeated _ ->
                findPast(run, message).map(PastSignal::taker).orElse("");
            case Reception.Kept _,
                    Reception.Begun _,
                    Reception.NobodyWaits _,
                    Reception.WrongKind _,
                    Reception.TooMany _ -> "";
        };
    }

    /**
     * Sends the answer of a person. Returns the key of the step that received it.
     *
     * @param stepKey empty for the only step that waits for people
     */
    String answer(RunRef named, String stepKey, Message message) {
        RunId run = runs.resolve(named);
        Optional<String> before = answeredBefore(run, stepKey, message);
        if (before.isPresent()) {
            return before.get();
        }
        WaitView wait;
        try {
            wait = waiting(run, stepKey);
        } catch (MillraceException notWaiting) {
            // The same answer, sent before over a connection that broke, may have arrived since the first look.
            return answeredBefore(run, stepKey, message).orElseThrow(() -> notWaiting);
        }
        WaitSpec spec = wait.spec().orElseThrow();
        WaitDetails.requireMayAnswer(wait, spec, message.actor(), () -> store.findStarter(run));
        if (message.kind() != SignalKind.DENY) {
            WaitDetails.requireFits(wait, spec, message.payload());
        }
        delivery.send(run, new Address.Step(wait.stepKey()), message);
        return wait.stepKey();
    }

    /** The step that received this answer earlier; empty if none has. */
    private Optional<String> answeredBefore(RunId run, String stepKey, Message message) {
        Optional<PastSignal> past = findPast(run, message);
        past.ifPresent(earlier -> requireSame(
                message,
                earlier,
                stepKey.isEmpty()
                        ? !earlier.stepKey().isEmpty()
                        : earlier.stepKey().equals(stepKey)));
        return past.map(PastSignal::stepKey);
    }

    private Optional<PastSignal> findPast(RunId run, Message message) {
        return message.requestId().isEmpty() ? Optional.empty() : store.findSignal(run, message.requestId());
    }

    private static void requireSame(Message message, PastSignal past, boolean isForSame) {
        if (!isForSame
                || past.kind() != message.kind()
                || !past.payload().equals(message.payload().text())) {
            throw new MillraceException(
                    ErrorCode.REQUEST_ID_REUSED,
                    "The request id \"" + message.requestId()
                            + "\" was used before, for another signal to this run. Use a new one.");
        }
    }

    private WaitView waiting(RunId run, String stepKey) {
        List<WaitView> people = store.listForPeople(run, STEPS_NAMED_MAX);
        if (stepKey.isEmpty() && people.size() == 1) {
            return people.getFirst();
        }
        Optional<WaitView> named = stepKey.isEmpty() ? Optional.empty() : store.find(run, stepKey);
        if (named.flatMap(WaitView::spec).filter(WaitSpec::isForPeople).isPresent()) {
            return named.get();
        }
        if (!store.isLive(run)) {
            throw store.hasEnded(run) ? SignalDelivery.ended(run) : SignalDelivery.unknown(run);
        }
        String steps = people.stream().map(WaitView::stepKey).collect(Collectors.joining(", "));
        if (stepKey.isEmpty() && !people.isEmpty()) {
            throw MillraceException.invalid(
                    "step", "is missing, and several steps wait for people: name one of " + steps);
        }
        throw SignalDelivery.notWaiting((stepKey.isEmpty() ? "No step" : "Step \"" + stepKey + "\"") + " of run " + run
                + (stepKey.isEmpty() ? " waits for people." : " does not wait for people.")
                + (steps.isEmpty() ? "" : " These do: " + steps + "."));
    }

    private static JobId id(String token) {
        try {
            return JobId.parse(token);
        } catch (IllegalArgumentException foreign) {
            throw PageRequest.badToken();
        }
    }
}
