package dev.millrace.scheduler.eventhandler;

import dev.millrace.scheduler.flow.core.graph.PublishWork;
import dev.millrace.scheduler.flow.core.machine.Decision;
import dev.millrace.scheduler.flow.core.machine.StepRecord;
import dev.millrace.scheduler.lane.Effects;
import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.LaneFeature;
import dev.millrace.scheduler.lane.LiveFlow;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.time.Duration;
import java.util.Optional;

/**
 * Notes the messages that steps publish for the handlers of their events, in the transaction that ends the steps. So each
 * handler has each message once, or the step has not ended.
 */
public final class MessageFeature implements LaneFeature {
    private final FlushPlan plan;
    private boolean published;

    public MessageFeature(FlushPlan plan) {
        this.plan = plan;
    }

    @Override
    public void decided(LiveFlow flow, Decision decision, Optional<Duration> delay, boolean isNew) {
        for (StepRecord step : decision.records()) {
            if (step.kind() == JobKind.PUBLISH && step.outcome() instanceof Outcome.Succeeded(var message)) {
                PublishWork.event(step.input()).ifPresent(event -> note(flow, event, message));
            }
        }
    }

    private void note(LiveFlow flow, String event, Json message) {
        plan.add(
                NoteMessagesStatement.SECTION,
                new PublishedMessage(
                        plan.context().ids().nextJob(flow.root().run()),
                        flow.root().run(),
                        flow.root().workspace(),
                        flow.root().name(),
                        event,
                        message));
        published = true;
    }

    @Override
    public void written(Effects effects) {
        if (published) {
            plan.publish(new MessagesPublished());
        }
    }
}
