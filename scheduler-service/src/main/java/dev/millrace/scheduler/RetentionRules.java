package dev.millrace.scheduler;

import dev.millrace.scheduler.activity.ActivityRetention;
import dev.millrace.scheduler.affinity.AffinityRetention;
import dev.millrace.scheduler.alert.AlertRetention;
import dev.millrace.scheduler.attempt.AttemptRetention;
import dev.millrace.scheduler.audit.AuditRetention;
import dev.millrace.scheduler.blob.BlobRetention;
import dev.millrace.scheduler.bulk.BulkRetention;
import dev.millrace.scheduler.cache.CacheRetention;
import dev.millrace.scheduler.child.ChildRetention;
import dev.millrace.scheduler.evaluation.EvaluationRetention;
import dev.millrace.scheduler.event.EventRetention;
import dev.millrace.scheduler.eventhandler.EventHandlerRetention;
import dev.millrace.scheduler.eventtrigger.EventTriggerRetention;
import dev.millrace.scheduler.identity.IdentityRetention;
import dev.millrace.scheduler.identity.login.LoginRetention;
import dev.millrace.scheduler.jobapi.JobApiRetention;
import dev.millrace.scheduler.kafka.KafkaRetention;
import dev.millrace.scheduler.limit.LimitRetention;
import dev.millrace.scheduler.log.LogRetention;
import dev.millrace.scheduler.mqtt.MqttRetention;
import dev.millrace.scheduler.operation.OperationRetention;
import dev.millrace.scheduler.pin.PinRetention;
import dev.millrace.scheduler.postgres.PostgresRetention;
import dev.millrace.scheduler.quota.QuotaRetention;
import dev.millrace.scheduler.resource.ResourceRetention;
import dev.millrace.scheduler.retention.Retention;
import dev.millrace.scheduler.retention.RetentionRule;
import dev.millrace.scheduler.retention.TableRetention;
import dev.millrace.scheduler.run.RunRetention;
import dev.millrace.scheduler.schedule.ScheduleRetention;
import dev.millrace.scheduler.secret.SecretRetention;
import dev.millrace.scheduler.signal.SignalRetention;
import dev.millrace.scheduler.tag.TagRetention;
import dev.millrace.scheduler.telemetry.TelemetryRetention;
import dev.millrace.scheduler.trigger.TriggerRetention;
import dev.millrace.scheduler.version.VersionRetention;
import dev.millrace.scheduler.worker.WorkerRetention;
import dev.millrace.scheduler.workspace.WorkspaceRetention;
import java.util.List;
import java.util.stream.Stream;

/** The retention of all tables, as features declare it. A run's rule comes before those of the rows kept with it. */
final class RetentionRules {
    /** All tables. */
    static final List<TableRetention> TABLES = Stream.of(
                    RunRetention.TABLES,
                    LogRetention.TABLES,
                    OperationRetention.TABLES,
                    SignalRetention.TABLES,
                    JobApiRetention.TABLES,
                    AttemptRetention.TABLES,
                    CacheRetention.TABLES,
                    BulkRetention.TABLES,
                    LimitRetention.TABLES,
                    TagRetention.TABLES,
                    ActivityRetention.TABLES,
                    EvaluationRetention.TABLES,
                    VersionRetention.TABLES,
                    PinRetention.TABLES,
                    WorkerRetention.TABLES,
                    AffinityRetention.TABLES,
                    ChildRetention.TABLES,
                    IdentityRetention.TABLES,
                    WorkspaceRetention.TABLES,
                    SecretRetention.TABLES,
                    ResourceRetention.TABLES,
                    TriggerRetention.TABLES,
                    ScheduleRetention.TABLES,
                    EventHandlerRetention.TABLES,
                    EventTriggerRetention.TABLES,
                    KafkaRetention.TABLES,
                    MqttRetention.TABLES,
                    PostgresRetention.TABLES,
                    AuditRetention.TABLES,
                    QuotaRetention.TABLES,
                    EventRetention.TABLES,
                    AlertRetention.TABLES,
                    BlobRetention.TABLES,
                    LoginRetention.TABLES,
                    TelemetryRetention.TABLES,
                    Retention.TABLES)
            .flatMap(List::stream)
            .toList();

    /** The rules among them. */
    static final List<RetentionRule> ALL = TABLES.stream()
            .filter(RetentionRule.class::isInstance)
            .map(RetentionRule.class::cast)
            .toList();

    private RetentionRules() {}
}
