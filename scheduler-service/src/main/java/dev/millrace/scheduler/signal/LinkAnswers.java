package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.access.CallSubject;
import dev.millrace.scheduler.flow.core.definition.EventKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.run.Runs;
import dev.millrace.scheduler.signal.SignalDelivery.Message;
import dev.millrace.scheduler.signal.core.Reception;
import dev.millrace.scheduler.signal.core.RunSignal.Address;
import dev.millrace.scheduler.signal.core.SignalKind;
import dev.millrace.scheduler.signal.core.WaitSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** Creates, inspects, uses and revokes signed links, with which people answer waits. Blocking and thread-safe. */
final class LinkAnswers {
    private static final String BEFORE_THE_WAIT = "early";

    private final WaitLinks links;
    private final RevokedLinkStore revoked;
    private final Runs runs;
    private final WaitStore store;
    private final SignalDelivery delivery;

    LinkAnswers(WaitLinks links, RevokedLinkStore revoked, Runs runs, WaitStore store, SignalDelivery delivery) {
        this.links = links;
        this.revoked = revoked;
        this.runs = runs;
        this.store = store;
        this.delivery = delivery;
    }

    /**
     * A link and its wait.
     *
     * @param waiting absent if the wait has not begun
     */
    record Link(LinkToken token, Optional<WaitView> waiting) {
        SignalKind answer() {
            boolean isTask = waiting.flatMap(WaitView::spec)
                    .filter(spec -> spec.kind() == EventKind.HUMAN)
                    .isPresent();
            return token.denies() ? SignalKind.DENY : isTask ? SignalKind.COMPLETE : SignalKind.RESUME;
        }
    }

    /**
     * The result of using a link.
     *
     * @param kept whether the answer is kept until the step waits
     */
    record Answered(String stepKey, boolean kept) {}

    /**
     * Creates a pair of links for each person. Fails if the step is no longer
     * waiting, or not for all of these people.
     */
    List<WaitLinks.Pair> create(RunRef named, String stepKey, List<String> actors, Duration validFor) {
        RunId run = runs.resolve(named);
        Optional<WaitView> wait = find(run, stepKey);
        wait.ifPresent(open -> {
            WaitSpec spec = requireForPeople(run, open);
            actors.forEach(actor -> WaitDetails.requireMayAnswer(open, spec, actor, () -> store.findStarter(run)));
        });
        Instant now = store.now();
        return links.create(run, stepKey, actors, now, now.plus(validFor).truncatedTo(ChronoUnit.SECONDS));
    }

    /**
     * Makes all links void that were signed for a step until now, for these people; empty means for everybody. Returns
     * the time of the revocation.
     */
    Instant revoke(RunRef named, String stepKey, List<String> actors) {
        return revoked.revoke(runs.resolve(named), stepKey, actors);
    }

    /** Returns what a link is for, without using it. */
    Link look(RunId run, String text) {
        LinkToken token = verify(run, text);
        return new Link(token, find(run, token.stepKey()));
    }

    /**
     * Sends the answer that a link stands for. If the wait has not begun, the answer is kept for it. Using a link again
     * changes nothing.
     */
    Answered use(RunId run, String text, Json payload) {
        LinkToken token = verify(run, text);
        store.findWorkspace(run).ifPresent(workspace -> CallSubject.noteLink(workspace, token.actor()));
        Optional<WaitView> wait = store.find(run, token.stepKey());
        return wait.isPresent()
                ? answer(run, new Link(token, wait), wait.get(), payload)
                : answerEarly(run, token, text, payload);
    }

    private LinkToken verify(RunId run, String text) {
        LinkToken token = links.verify(run, text, store::now);
        if (revoked.include(run, token)) {
            throw WaitLinks.revoked();
        }
        return token;
    }

    private Answered answer(RunId run, Link link, WaitView wait, Json payload) {
        LinkToken token = link.token();
        WaitSpec spec = requireForPeople(run, wait);
        WaitDetails.requireMayAnswer(wait, spec, token.actor(), () -> store.findStarter(run));
        if (!token.denies()) {
            WaitDetails.requireFits(wait, spec, payload);
        }
        String requestId = WaitLinks.requestIdStart(token) + wait.id();
        delivery.send(
                run, new Address.Step(token.stepKey()), new Message(link.answer(), payload, token.actor(), requestId));
        return new Answered(token.stepKey(), false);
    }

    private Answered answerEarly(RunId run, LinkToken token, String text, Json payload) {
        String requestIdStart = WaitLinks.requestIdStart(token);
        Optional<PastSignal> past = store.findFirstSignal(run, requestIdStart);
        if (past.isPresent()) {
            return new Answered(token.stepKey(), past.get().taker().isEmpty());
        }
        find(run, token.stepKey());
        Link link = new Link(token, Optional.empty());
        Message message = new Message(link.answer(), payload, token.actor(), requestIdStart + BEFORE_THE_WAIT);
        return switch (delivery.send(run, new Address.StepToCome(token.stepKey()), message)) {
            case Reception.Begun _ -> use(run, text, payload);
            case Reception.Kept _,
                    Reception.Repeated _,
                    Reception.Counted _,
                    Reception.Ended _,
                    Reception.NobodyWaits _,
                    Reception.WrongKind _,
                    Reception.TooMany _ -> new Answered(token.stepKey(), true);
        };
    }

    /**
     * Returns the wait of a step; empty if it has not begun. Fails if the wait has ended.
     */
    private Optional<WaitView> find(RunId run, String stepKey) {
        Optional<WaitView> wait = store.find(run, stepKey);
        if (wait.isEmpty()) {
            if (!store.isLive(run)) {
                throw store.hasEnded(run) ? SignalDelivery.ended(run) : SignalDelivery.unknown(run);
            }
            if (store.hasEnded(run, stepKey)) {
                throw SignalDelivery.notWaiting("Step \"" + stepKey + "\" of run " + run + " is no longer waiting.");
            }
        }
        return wait;
    }

    private static WaitSpec requireForPeople(RunId run, WaitView wait) {
        return wait.spec()
                .filter(WaitSpec::isForPeople)
                .orElseThrow(() -> SignalDelivery.notWaiting("Step \"" + wait.stepKey() + "\" of run " + run
                        + " does not wait for people, so that no link can answer it."));
    }
}
