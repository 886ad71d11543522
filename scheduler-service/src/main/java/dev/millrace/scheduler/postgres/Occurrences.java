package dev.millrace.scheduler.postgres;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.postgres.core.OutboxRow;
import dev.millrace.scheduler.postgres.core.RowBatches;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.runtime.WallClock;
import dev.millrace.scheduler.trigger.NewStart;
import dev.millrace.scheduler.trigger.StartState;
import dev.millrace.scheduler.trigger.Trigger;
import dev.millrace.scheduler.trigger.core.EventInput;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Makes occurrences of rows and notifications for one trigger. */
final class Occurrences {
    private final Trigger trigger;
    private final PostgresSettings settings;
    private final long batchCharsMax;
    private final Supplier<RunId> ids;

    /** @param batchCharsMax longest JSON of a batch of several rows */
    Occurrences(Trigger trigger, PostgresSettings settings, long batchCharsMax, Supplier<RunId> ids) {
        this.trigger = trigger;
        this.settings = settings;
        this.batchCharsMax = batchCharsMax;
        this.ids = ids;
    }

    /** What rows start. A row that is too large for an input starts nothing, which is noted. */
    List<NewStart> ofRows(List<OutboxRow> rows) {
        return RowBatches.of(rows, settings.batchMax().orElse(1), batchCharsMax).stream()
                .map(this::ofBatch)
                .toList();
    }

    private NewStart ofBatch(List<OutboxRow> batch) {
        OutboxRow first = batch.getFirst();
        String name = name("row " + first.id());
        if (first.json().isEmpty()) {
            return none(
                    name,
                    StartState.REFUSED,
                    "The row " + first.id() + " has " + first.chars()
                            + " characters as JSON, more than the input of a run may have.");
        }
        List<String> contents =
                batch.stream().flatMap(row -> row.json().stream()).toList();
        return settings.batchMax().isPresent()
                ? start(name, "rows", JsonValue.of("[" + String.join(",", contents) + "]"))
                : start(name, "row", JsonValue.of(contents.getFirst()));
    }

    /** What notifications start. */
    List<NewStart> ofNotifications(List<String> payloads) {
        return payloads.stream()
                .map(payload -> {
                    Map<String, JsonValue> members = new LinkedHashMap<>();
                    members.put("channel", JsonValue.ofString(settings.channel().orElse("")));
                    members.put("payload", JsonValue.ofString(payload));
                    return start("notification " + ids.get(), "notification", JsonValue.ofMembers(members));
                })
                .toList();
    }

    /** Tells that notifications may be lost. */
    NewStart ofGap(Instant since, Instant until) {
        return none(
                "gap " + ids.get(),
                StartState.MISSED,
                "Between " + since + " and " + until + ", no scheduler listened to the channel "
                        + settings.channel().orElse("")
                        + " for some time. Notifications of that time started nothing: let the trigger read a table if none"
                        + " may be lost.");
    }

    private NewStart none(String name, StartState state, String reason) {
        return NewStart.none(trigger, ids.get(), name, WallClock.now(), state, reason);
    }

    /** A fixed member of the input wins. */
    private NewStart start(String name, String member, JsonValue content) {
        JsonValue input = EventInput.of(JsonValue.of(trigger.spec().run().input()), member, content);
        return NewStart.of(trigger, ids.get(), name, WallClock.now(), Optional.of(input.json()));
    }

    /** Rows of another table have other names, so that a changed trigger does not take them for known ones. */
    private String name(String row) {
        String name = row + " of " + settings.source();
        return name.substring(0, Math.min(name.length(), NewStart.OCCURRENCE_LENGTH_MAX));
    }
}
