package dev.millrace.scheduler.tag;

import dev.millrace.proto.queue.v1.ActivityWaits;
import dev.millrace.proto.queue.v1.GetActivityResponse;
import dev.millrace.scheduler.activity.core.Activity;
import dev.millrace.scheduler.activity.core.ActivityMinute;
import dev.millrace.scheduler.activity.core.WaitHistogram;
import dev.millrace.scheduler.rpc.TimeProtos;
import java.util.List;

/** Converts what a workspace did to messages. */
final class ActivityProtos {
    private static final double HALF = 0.5;
    private static final double MOST = 0.95;

    private ActivityProtos() {}

    static GetActivityResponse response(List<ActivityMinute> minutes) {
        Activity all = minutes.stream().map(ActivityMinute::activity).reduce(Activity.NONE, Activity::plus);
        return GetActivityResponse.newBuilder()
                .addAllMinutes(minutes.stream().map(ActivityProtos::minute).toList())
                .setWaits(waits(all.waits()))
                .build();
    }

    private static dev.millrace.proto.queue.v1.ActivityMinute minute(ActivityMinute minute) {
        Activity activity = minute.activity();
        return dev.millrace.proto.queue.v1.ActivityMinute.newBuilder()
                .setStartTime(TimeProtos.timestamp(minute.start()))
                .setRunsAccepted(activity.accepted())
                .setRunsSucceeded(activity.succeeded())
                .setRunsFailed(activity.failed())
                .setRunsCanceled(activity.canceled())
                .setWaits(waits(activity.waits()))
                .build();
    }

    private static ActivityWaits waits(WaitHistogram waits) {
        ActivityWaits.Builder message = ActivityWaits.newBuilder().setJobs(waits.jobs());
        waits.quantile(HALF).map(TimeProtos::duration).ifPresent(message::setMedian);
        waits.quantile(MOST).map(TimeProtos::duration).ifPresent(message::setP95);
        return message.build();
    }
}
