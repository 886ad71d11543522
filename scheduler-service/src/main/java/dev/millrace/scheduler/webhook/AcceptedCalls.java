package dev.millrace.scheduler.webhook;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.run.Run;
import dev.millrace.scheduler.run.RunState;
import dev.millrace.scheduler.trigger.NewStart;
import dev.millrace.scheduler.trigger.StartOutcome;
import dev.millrace.scheduler.trigger.StartState;
import dev.millrace.scheduler.trigger.Trigger;
import dev.millrace.scheduler.trigger.TriggerStarts;
import dev.millrace.scheduler.trigger.Triggers;
import dev.millrace.scheduler.webhook.core.Deduplication;
import dev.millrace.scheduler.webhook.core.HookCall;
import dev.millrace.scheduler.webhook.core.HookContent;
import dev.millrace.scheduler.webhook.core.HookInput;
import dev.millrace.scheduler.webhook.core.SlackChallenge;
import dev.millrace.scheduler.webhook.core.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Answers calls that have proven to know a secret of their webhook. Blocking and thread-safe. */
final class AcceptedCalls {
    private static final Duration PAUSE_RETRY_AFTER = Duration.ofMinutes(1);

    private final Triggers triggers;
    private final TriggerStarts starts;
    private final RunResults results;
    private final RefusalNotes notes = new RefusalNotes();

    private final int inputBytesMax;

    /** @param inputBytesMax largest input of a run */
    AcceptedCalls(Triggers triggers, TriggerStarts starts, RunResults results, int inputBytesMax) {
        this.triggers = triggers;
        this.starts = starts;
        this.results = results;
        this.inputBytesMax = inputBytesMax;
    }

    /** What a call becomes. */
    static Webhooks.Trial trial(Trigger trigger, WebhookSettings settings, HookCall call, HookContent content) {
        return new Webhooks.Trial(
                input(trigger, settings, call, content),
                Deduplication.key(
                        settings.deduplication(),
                        settings.authentication().scheme(),
                        call,
                        content,
                        new Verdict.Genuine(Optional.empty())));
    }

    /** Why the webhook does not take a body of this size; empty if it does. */
    static Optional<String> tooLarge(WebhookSettings settings, HookCall call) {
        return call.body().length > settings.bodyBytesMax()
                ? Optional.of("The body has " + call.body().length + " bytes (expected: at most "
                        + settings.bodyBytesMax() + ").")
                : Optional.empty();
    }

    HookAnswer answer(Trigger trigger, WebhookSettings settings, HookCall call, Verdict.Genuine verdict, Instant now) {
        Optional<String> tooLarge = tooLarge(settings, call);
        if (tooLarge.isPresent()) {
            return refuse(trigger, HookAnswer.Refused.of(HookAnswer.TOO_LARGE, "body_too_large", tooLarge.get()), now);
        }
        return switch (HookContent.read(call, settings.needs())) {
            case HookContent.Reading.Read(HookContent content) ->
                SlackChallenge.answer(settings.authentication().scheme(), content)
                        .<HookAnswer>map(challenge ->
                                new HookAnswer.Accepted(HookAnswer.OK, Optional.empty(), Optional.of(challenge.json())))
                        .orElseGet(() -> start(trigger, settings, call, content, verdict, now));
            case HookContent.Reading.Unreadable(String sentence) ->
                refuse(trigger, HookAnswer.Refused.of(HookAnswer.BAD_REQUEST, "unreadable_body", sentence), now);
        };
    }

    private HookAnswer start(
            Trigger trigger,
            WebhookSettings settings,
            HookCall call,
            HookContent content,
            Verdict.Genuine verdict,
            Instant now) {
        if (trigger.isPaused()) {
            return refuse(
                    trigger,
                    new HookAnswer.Refused(
                            HookAnswer.UNAVAILABLE,
                            "webhook_paused",
                            "The webhook is paused: repeat the call once it is resumed.",
                            Optional.empty(),
                            Optional.of(PAUSE_RETRY_AFTER)),
                    now);
        }
        Json input = input(trigger, settings, call, content);
        if (input.text().length() > inputBytesMax) {
            // Before anything is stored: the note of a start holds the input.
            return refuse(
                    trigger,
                    HookAnswer.Refused.of(
                            HookAnswer.UNPROCESSABLE,
                            "run_refused",
                            "The input of the run would have " + input.text().length()
                                    + " characters (expected: at most " + inputBytesMax
                                    + " bytes, millrace.limit.payload-bytes-max)."),
                    now);
        }
        Optional<String> message = Deduplication.key(
                settings.deduplication(), settings.authentication().scheme(), call, content, verdict);
        RunId run = triggers.nextRun();
        NewStart start = NewStart.of(trigger, run, Occurrence.of(message, run), now, Optional.of(input));
        return switch (starts.startOrRepeat(start)) {
            case StartOutcome.Started(RunId started) -> started(trigger, settings, started);
            case StartOutcome.Pending _ ->
                new HookAnswer.Accepted(HookAnswer.ACCEPTED, Optional.empty(), Optional.empty());
            case StartOutcome.Refused(String reason) ->
                HookAnswer.Refused.of(HookAnswer.UNPROCESSABLE, "run_refused", reason);
        };
    }

    private HookAnswer started(Trigger trigger, WebhookSettings settings, RunId run) {
        Optional<Run> ended = settings.patience()
                .flatMap(wait -> results.await(new RunRef(trigger.key().workspace(), run), wait));
        if (ended.isEmpty()) {
            return new HookAnswer.Accepted(HookAnswer.ACCEPTED, Optional.of(run), Optional.empty());
        }
        return ended.get().state() == RunState.SUCCEEDED
                ? new HookAnswer.Accepted(
                        settings.successStatus(),
                        Optional.of(run),
                        Optional.of(ended.get().payloads().result().orElse(Json.NULL)))
                : new HookAnswer.Refused(
                        settings.failureStatus(),
                        "run_failed",
                        "The run " + run + " has ended without success.",
                        Optional.of(run),
                        Optional.empty());
    }

    private static Json input(Trigger trigger, WebhookSettings settings, HookCall call, HookContent content) {
        return HookInput.of(
                        JsonValue.of(trigger.spec().run().input()),
                        settings.parts(),
                        call,
                        content,
                        settings.authentication().secretHeader())
                .json();
    }

    /** Notes a refused call, at most one in {@link RefusalNotes#PERIOD}. */
    void noteRefusal(Trigger trigger, String sentence, Instant now) {
        if (notes.isWanted(trigger.id())) {
            note(trigger, sentence, now);
        }
    }

    private HookAnswer refuse(Trigger trigger, HookAnswer.Refused answer, Instant now) {
        noteRefusal(trigger, answer.detail(), now);
        return answer;
    }

    private void note(Trigger trigger, String sentence, Instant now) {
        RunId id = triggers.nextRun();
        var _ = starts.start(List.of(new NewStart(
                trigger.id(),
                trigger.key().workspace(),
                id,
                Occurrence.of(Optional.empty(), id),
                now,
                StartState.REFUSED,
                Optional.empty(),
                Optional.empty(),
                sentence)));
    }
}
