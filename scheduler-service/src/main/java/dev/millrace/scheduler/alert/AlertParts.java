package dev.millrace.scheduler.alert;

import dev.millrace.metrics.Metrics;
import dev.millrace.scheduler.config.AlertConfig;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.event.Events;
import dev.millrace.scheduler.resource.Resources;
import dev.millrace.scheduler.secret.Secrets;
import dev.millrace.scheduler.trigger.TriggerConnections;
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
            Resources resources,
            RandomGenerator random,
            Metrics metrics) {
        HttpSender http = new HttpSender(config.addressRule());
        Messages messages = new Messages(
                secrets, http, config.smtp().map(MailSender::new), config.consoleUrl(), InstantSource.system());
        TopicProducers topics = new BrokerProducers(new TriggerConnections(secrets, resources), config.addressRule());
        AlertSender sender = new AlertSender(
                        database,
                        events,
                        messages,
                        new TopicSender(topics, TopicSender.PAUSE),
                        random,
                        UUID.randomUUID(),
                        metrics)
                .start();
        return new AlertParts(
                sender,
                new Alerts(database, events, topics, http, config.smtp().isPresent(), secrets::value, sender::wake));
    }

    public AlertGrpcService service() {
        return new AlertGrpcService(alerts);
    }

    @Override
    public void close() {
        sender.close();
    }
}
