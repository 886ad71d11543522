package dev.millrace.scheduler.webhook;

import com.github.benmanes.caffeine.cache.Ticker;
import com.google.protobuf.ByteString;
import dev.millrace.metrics.Metrics;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.runtime.WallClock;
import dev.millrace.scheduler.trigger.Trigger;
import dev.millrace.scheduler.trigger.TriggerKey;
import dev.millrace.scheduler.trigger.TriggerSecrets;
import dev.millrace.scheduler.trigger.TriggerStarts;
import dev.millrace.scheduler.trigger.Triggers;
import dev.millrace.scheduler.webhook.core.HookCall;
import dev.millrace.scheduler.webhook.core.HookContent;
import dev.millrace.scheduler.webhook.core.Verdict;
import dev.millrace.scheduler.webhook.core.Verifier;
import io.prometheus.metrics.core.metrics.Counter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Takes calls of webhooks. Whoever knows no secret gets the same answer after the same work, whether or not there is such
 * a webhook, and soon no more than a refusal from memory ({@link RefusedCallers}, {@link RememberedProofs}). Blocking and thread-safe.
 */
public final class Webhooks {
    /** Path of a secret that nobody uses, for calls of webhooks that do not exist. */
    private static final List<String> NO_SECRET = List.of("no-webhook");

    private final Triggers triggers;
    private final TriggerSecrets secrets;
    private final AcceptedCalls accepted;
    private final ServerClockStore clock;
    private final Counter calls;
    private final Verifier verifier = new Verifier(PlatformHmac.INSTANCE);
    private final RefusedCallers refused = new RefusedCallers(Ticker.systemTicker());
    private final RememberedProofs proofs = new RememberedProofs(Ticker.systemTicker());
    /** Stands for the secret of a webhook that does not exist. Nobody knows it. */
    private final List<String> unknown = List.of(UUID.randomUUID().toString());

    /**
     * Takes calls.
     *
     * @param triggers those of the kind {@code webhook}
     * @param inputBytesMax largest input of a run
     */
    public Webhooks(
            Database database,
            Triggers triggers,
            TriggerStarts starts,
            TriggerSecrets secrets,
            RunResults results,
            int inputBytesMax,
            Metrics metrics) {
        this.triggers = triggers;
        this.secrets = secrets;
        this.accepted = new AcceptedCalls(triggers, starts, results, inputBytesMax);
        this.clock = new ServerClockStore(database);
        this.calls = metrics.counter(
                "millrace_webhook_calls_total",
                "Calls of webhooks, by the code of their refusal; `accepted` and `error` have none",
                "outcome");
    }

    /** Fails unless the author may use the secrets that the settings name, and they have values. */
    public static void require(TriggerSecrets secrets, ByteString settings, TriggerKey key, Access by) {
        for (String secret : WebhookProtos.settings(settings).secrets()) {
            secrets.require("webhook.secrets", secret, key.workspace(), key.path(), by);
        }
    }

    /**
     * What a call becomes.
     *
     * @param message what names its message; empty if each such call starts a run
     */
    public record Trial(Json input, Optional<String> message) {}

    /**
     * What a call would become, without a look at its signature. Fails with {@link ErrorCode#INVALID_REQUEST} if its body
     * is too large or cannot be read.
     */
    public Trial test(TriggerKey key, HookCall call) {
        Trigger trigger = triggers.get(key);
        WebhookSettings settings = WebhookProtos.settings(trigger.spec().settings());
        AcceptedCalls.tooLarge(settings, call).ifPresent(sentence -> {
            throw MillraceException.invalid("call.body", sentence);
        });
        return switch (HookContent.read(call, settings.needs())) {
            case HookContent.Reading.Read(HookContent content) -> AcceptedCalls.trial(trigger, settings, call, content);
            case HookContent.Reading.Unreadable(String sentence) -> throw MillraceException.invalid("call", sentence);
        };
    }

    /**
     * Takes a call.
     *
     * @param address of the caller, empty if it is not known
     */
    public HookAnswer receive(Workspace workspace, HookCall call, String address) {
        String outcome = "error";
        try {
            HookAnswer answer = answer(workspace, call, address);
            outcome = switch (answer) {
                case HookAnswer.Accepted _ -> "accepted";
                case HookAnswer.Refused refusal -> refusal.code();
            };
            return answer;
        } finally {
            calls.labelValues(outcome).inc();
        }
    }

    private HookAnswer answer(Workspace workspace, HookCall call, String address) {
        String hook = workspace + "/" + call.path();
        if (refused.areTooMany(address, hook) && !mayBeGenuine(hook, call)) {
            return new HookAnswer.Refused(
                    HookAnswer.TOO_MANY_REQUESTS,
                    "too_many_refusals",
                    "Too many calls from this address were refused: repeat the call later, with the right secret.",
                    Optional.empty(),
                    Optional.of(RefusedCallers.PERIOD));
        }
        Optional<Trigger> found = triggers.find(triggers.key(workspace, call.path()));
        WebhookSettings settings = found.map(
                        trigger -> WebhookProtos.settings(trigger.spec().settings()))
                .orElse(WebhookSettings.NONE);
        TriggerSecrets.Known known = secrets.values(workspace, found.isPresent() ? settings.secrets() : NO_SECRET);
        boolean canBeGenuine = found.isPresent() && !known.values().isEmpty();
        if (canBeGenuine) {
            proofs.keep(hook, new RememberedProofs.Proof(settings.authentication(), known.values()));
        }
        Instant now = clock.now();
        Verdict verdict =
                verifier.verify(settings.authentication(), call, canBeGenuine ? known.values() : unknown, now);
        if (found.isPresent() && verdict instanceof Verdict.Genuine genuine) {
            return accepted.answer(found.get(), settings, call, genuine, now);
        }
        refused.count(address, hook);
        if (found.isPresent() && verdict instanceof Verdict.Refused(String sentence)) {
            accepted.noteRefusal(found.get(), refusal(sentence, known), now);
        }
        return HookAnswer.Refused.of(
                HookAnswer.UNAUTHORIZED,
                "webhook_refused",
                "There is no webhook at this address, or the call does not prove to know its secret.");
    }

    /** Whether a call shows what genuine ones had to show of late. Takes as long for webhooks that nobody remembers. */
    private boolean mayBeGenuine(String hook, HookCall call) {
        RememberedProofs.Proof proof = proofs.find(hook)
                .orElseGet(() -> new RememberedProofs.Proof(WebhookSettings.NONE.authentication(), unknown))
                .atAnyTime();
        return verifier.verify(proof.by(), call, proof.secrets(), WallClock.now()) instanceof Verdict.Genuine;
    }

    /** Why a call was refused. A caller cannot be blamed if there is no secret to know. */
    private static String refusal(String sentence, TriggerSecrets.Known known) {
        return known.values().isEmpty() ? known.problem() : (sentence + " " + known.problem()).strip();
    }
}
