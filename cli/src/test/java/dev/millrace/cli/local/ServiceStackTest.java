package dev.millrace.cli.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cli.CommandFailure;
import java.net.BindException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ServiceStackTest {
    private final List<String> closed = new ArrayList<>();
    private final ServiceStack services = new ServiceStack();

    @Test
    void stopsServicesInTheOppositeOrder() {
        ServiceStack.Beside<AutoCloseable> gateway = services.startBeside(() -> () -> closed.add("gateway"));
        services.start(() -> () -> closed.add("database"));
        services.start(() -> () -> closed.add("scheduler"));
        services.await(gateway);

        services.close();
        services.close();

        assertThat(closed).containsExactly("gateway", "scheduler", "database");
    }

    @Test
    void stopsAServiceThatStillStartsWhenAnotherFails() {
        CountDownLatch databaseFailed = new CountDownLatch(1);
        services.startBeside(() -> {
            databaseFailed.await();
            return () -> closed.add("gateway");
        });
        assertThatThrownBy(() -> services.start(() -> {
                    throw new IllegalStateException("There is no disk.");
                }))
                .isInstanceOf(CommandFailure.class)
                .hasMessage("There is no disk.");
        databaseFailed.countDown();

        services.close();

        assertThat(closed).containsExactly("gateway");
    }

    @Test
    void tellsWhyAServiceBesideOthersDidNotStart() {
        ServiceStack.Beside<AutoCloseable> gateway = services.startBeside(() -> {
            throw new IllegalStateException("The gateway cannot listen.", new BindException());
        });
        services.start(() -> () -> closed.add("database"));

        assertThatThrownBy(() -> services.await(gateway))
                .isInstanceOf(CommandFailure.class)
                .hasMessageStartingWith("The gateway cannot listen. The port is taken");
        services.close();

        assertThat(closed).containsExactly("database");
    }

    @Test
    void startsNothingOnceClosed() {
        services.close();

        assertThatThrownBy(() -> services.startBeside(() -> () -> closed.add("gateway")))
                .isInstanceOf(CommandFailure.class);
        assertThat(closed).isEmpty();
    }
}
