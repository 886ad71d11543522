package dev.millrace.scheduler.mqtt;

import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.TableRetention;
import java.util.List;

/** How long sessions at brokers are kept. */
public final class MqttRetention {
    public static final List<TableRetention> TABLES =
            List.of(new NoRule("mqtt_session", "goes with its trigger, by a foreign key"));

    private MqttRetention() {}
}
