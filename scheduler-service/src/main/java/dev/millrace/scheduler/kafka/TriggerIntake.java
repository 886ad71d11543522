package dev.millrace.scheduler.kafka;

import dev.millrace.scheduler.kafka.core.Message;
import dev.millrace.scheduler.trigger.ListenTurns;
import dev.millrace.scheduler.trigger.NewStart;
import dev.millrace.scheduler.trigger.NotedStarts;
import dev.millrace.scheduler.trigger.StartOutcome;
import dev.millrace.scheduler.trigger.StartState;
import dev.millrace.scheduler.trigger.Trigger;
import dev.millrace.scheduler.trigger.TriggerStarts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Accepts messages of a partition for one trigger: notes them with the position behind them, then submits their runs. */
final class TriggerIntake implements Intake {
    private final Trigger trigger;
    private final KafkaPositionStore positions;
    private final TriggerStarts starts;
    private final Consumption consumption;
    private final KafkaCounts.OfTrigger counts;

    TriggerIntake(
            Trigger trigger,
            KafkaPositionStore positions,
            TriggerStarts starts,
            Consumption consumption,
            KafkaCounts.OfTrigger counts) {
        this.trigger = trigger;
        this.positions = positions;
        this.starts = starts;
        this.consumption = consumption;
        this.counts = counts;
    }

    @Override
    public boolean skip(UUID topic, SkippedBatch batch) {
        Optional<NotedStarts> stored = positions.note(
                trigger.id(),
                topic,
                batch.partition(),
                batch.end(),
                first -> List.of(consumption.skipped(topic, batch, Math.max(first, batch.begin()))));
        if (stored.isPresent()) {
            int messages = (int) Math.min(Integer.MAX_VALUE, batch.end() - batch.begin());
            counts.count(messages, messages);
        }
        return stored.isPresent();
    }

    @Override
    public boolean isBehind() {
        return starts.isBehind(trigger.id());
    }

    @Override
    public Outcome accept(UUID topic, List<Message> messages) throws InterruptedException {
        try (ListenTurns.Turn _ = starts.turns().take()) {
            return acceptInTurn(topic, messages);
        }
    }

    private Outcome acceptInTurn(UUID topic, List<Message> messages) {
        List<NewStart> noted = new ArrayList<>();
        Optional<NotedStarts> stored = positions.note(
                trigger.id(),
                topic,
                messages.getFirst().partition(),
                messages.getLast().offset() + 1,
                first -> {
                    List<Message> fresh = messages.stream()
                            .filter(message -> message.offset() >= first)
                            .toList();
                    noted.addAll(consumption.of(topic, fresh));
                    return List.copyOf(noted);
                });
        if (stored.isEmpty()) {
            return Outcome.GONE;
        }
        counts.count(messages.size(), (int)
                noted.stream().filter(one -> one.state() == StartState.REFUSED).count());
        boolean isPending = starts.finish(stored.get()).stream().anyMatch(StartOutcome.Pending.class::isInstance);
        return isPending ? Outcome.PENDING : Outcome.ACCEPTED;
    }
}
