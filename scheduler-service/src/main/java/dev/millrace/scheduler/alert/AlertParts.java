package dev.millrace.scheduler.alert;

import dev.millrace.metrics.Metrics;
import dev.millrace.scheduler.config.AlertConfig;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.event.Events;
import dev.millrace.scheduler.secret.Secrets;
import java.time.InstantSource;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** The parts that send messages about events. */
public final class AlertParts implements AutoCloseable {
    private final AlertSender sender;
    private final Alerts alerts;

    private AlertParts(AlertSender sender, Alerts alerts) {
        this.sender = sender;
        this.alerts = alerts;
    }

    /** Starts the parts. */
    public static AlertParts start(
            AlertConfig config,
            Database database,
            Events events,
            Secrets secrets,
            RandomGenerator random,
            Metrics metrics) {
        Messages messages = new Messages(
                secrets,
                new HttpSender(config.allowsPrivate()),
                config.smtp().map(MailSender::new),
                InstantSource.system());
        AlertSender sender = new AlertSender(database, events, messages, random, UUID.randomUUID(), metrics).start();
        return new AlertParts(sender, new Alerts(database, events, config.smtp().isPresent(), sender::wake));
    }

    public AlertGrpcService service() {
        return new AlertGrpcService(alerts);
    }

    @Override
    public void close() {
        sender.close();
    }
}
