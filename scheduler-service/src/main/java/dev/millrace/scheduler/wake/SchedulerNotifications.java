package dev.millrace.scheduler.wake;

import dev.millrace.scheduler.access.RightsChanged;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.eventlog.EventsRecorded;
import dev.millrace.scheduler.eventlog.RecordingChanged;
import dev.millrace.scheduler.lane.JobsWait;
import dev.millrace.scheduler.lane.LeaseEndedElsewhere;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.SchedulerId;
import dev.millrace.scheduler.queue.core.SessionId;
import dev.millrace.scheduler.quota.QuotasChanged;
import dev.millrace.scheduler.run.RemoteFollowers;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.version.VersionsChanged;
import dev.millrace.scheduler.workspace.WorkspacesChanged;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Sends events of this scheduler to the other schedulers of the database, and publishes theirs on the bus. */
public final class SchedulerNotifications implements AutoCloseable {
    private static final String JOBS = "jobs ";
    private static final String ENDED = "ended ";
    private static final String RIGHTS = "rights";
    private static final String WORKSPACES = "workspaces";
    private static final String QUOTAS = "quotas";
    private static final String RECORDING = "recording";
    private static final String EVENTS = "events";
    private static final String VERSIONS = "versions";
    private static final String SCHEDULES = "schedules";
    private static final String PAUSES = "pauses";
    private static final String DRAINS = "drains";
    private static final String KILLED = "killed ";
    private static final String FOLLOWED = "followed ";
    private static final String CHANGED = "changed ";
    private static final String FOLLOWERS_ASKED = "followers?";

    private static final int REASON_CHARS_MAX = 1_000;

    private final SchedulerId self;
    private final EventBus bus;
    private final NotificationBus notifications;

    public SchedulerNotifications(SchedulerId self, Database database, EventBus bus) {
        this.self = self;
        this.bus = bus;
        this.notifications = new NotificationBus(database, this::read, () -> bus.publish(new NotificationsMissed()));
        bus.subscribe(JobsWait.class, jobs -> jobs.tags().forEach(tag -> tell(JOBS + tag)));
        bus.subscribe(
                LeaseEndedElsewhere.class,
                lease -> tell(ENDED + lease.session() + " " + lease.job() + " " + beginning(lease.reason())));
        bus.subscribe(RightsChanged.class, _ -> tell(RIGHTS));
        bus.subscribe(WorkspacesChanged.class, _ -> tell(WORKSPACES));
        bus.subscribe(QuotasChanged.class, _ -> tell(QUOTAS));
        bus.subscribe(RecordingChanged.class, _ -> tell(RECORDING));
        bus.subscribe(EventsRecorded.class, _ -> tell(EVENTS));
        bus.subscribe(VersionsChanged.class, _ -> tell(VERSIONS));
        bus.subscribe(SchedulesChanged.class, _ -> tell(SCHEDULES));
        bus.subscribe(PausesChanged.class, _ -> tell(PAUSES));
        bus.subscribe(DrainsChanged.class, _ -> tell(DRAINS));
        bus.subscribe(WorkerKilled.class, worker -> tell(KILLED + worker.session()));
        bus.subscribe(RemoteFollowers.Followed.class, followed -> tell(FOLLOWED + text(followed.runs())));
        bus.subscribe(RemoteFollowers.Changed.class, changed -> tell(CHANGED + text(changed.runs())));
        bus.subscribe(RemoteFollowers.Asked.class, _ -> tell(FOLLOWERS_ASKED));
    }

    public void start() {
        notifications.start();
    }

    @Override
    public void close() {
        notifications.close();
    }

    private void tell(String message) {
        notifications.tell(self + " " + message);
    }

    /** Publishes another scheduler's message. Ignores unknown messages and this scheduler's own. */
    private void read(String message) {
        String[] parts = message.split(" ", 2);
        if (parts.length < 2 || parts[0].equals(self.toString())) {
            return;
        }
        if (parts[1].startsWith(JOBS)) {
            bus.publish(new JobsWaitElsewhere(parts[1].substring(JOBS.length())));
        } else if (parts[1].equals(RIGHTS)) {
            bus.publish(new RightsChangedElsewhere());
        } else if (parts[1].equals(WORKSPACES)) {
            bus.publish(new WorkspacesChangedElsewhere());
        } else if (parts[1].equals(QUOTAS)) {
            bus.publish(new QuotasChangedElsewhere());
        } else if (parts[1].equals(RECORDING)) {
            bus.publish(new RecordingChangedElsewhere());
        } else if (parts[1].equals(EVENTS)) {
            bus.publish(new EventsRecordedElsewhere());
        } else if (parts[1].equals(VERSIONS)) {
            bus.publish(new VersionsChangedElsewhere());
        } else if (parts[1].equals(SCHEDULES)) {
            bus.publish(new SchedulesChangedElsewhere());
        } else if (parts[1].equals(PAUSES)) {
            bus.publish(new PausesChangedElsewhere());
        } else if (parts[1].equals(DRAINS)) {
            bus.publish(new DrainsChangedElsewhere());
        } else if (parts[1].startsWith(KILLED)) {
            bus.publish(new WorkerKilledElsewhere(SessionId.parse(parts[1].substring(KILLED.length()))));
        } else if (parts[1].startsWith(FOLLOWED)) {
            bus.publish(new RunsFollowedElsewhere(runs(parts[1].substring(FOLLOWED.length()))));
        } else if (parts[1].startsWith(CHANGED)) {
            bus.publish(new RunsChangedElsewhere(runs(parts[1].substring(CHANGED.length()))));
        } else if (parts[1].equals(FOLLOWERS_ASKED)) {
            bus.publish(new FollowersAskedElsewhere());
        } else if (parts[1].startsWith(ENDED)) {
            String[] ended = parts[1].substring(ENDED.length()).split(" ", 3);
            if (ended.length == 3) {
                bus.publish(new LeaseEndedByOther(SessionId.parse(ended[0]), JobId.parse(ended[1]), ended[2]));
            }
        }
    }

    /** As much of a reason as a message may hold: Postgres refuses longer messages. */
    private static String beginning(String reason) {
        return reason.length() <= REASON_CHARS_MAX ? reason : reason.substring(0, REASON_CHARS_MAX);
    }

    private static String text(List<RunId> runs) {
        return runs.stream().map(RunId::toString).collect(Collectors.joining(" "));
    }

    private static List<RunId> runs(String text) {
        return Stream.of(text.split(" ")).map(RunId::parse).toList();
    }
}
