package dev.millrace.e2e.door;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.SharedInstallation;
import dev.millrace.harness.ListeningSockets;
import dev.millrace.harness.ServiceProcess;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Without a configured address, services can be reached from their own machine only. */
@Tag("nightly")
@ExtendWith(SharedInstallation.class)
final class ListeningTest {
    @Test
    void servicesListenOnTheLoopbackInterface(Installation installation) {
        ServiceProcess scheduler = installation.cluster().scheduler(0);
        ServiceProcess gateway = installation.cluster().gateway();
        for (ServiceProcess service :
                List.of(scheduler, gateway, installation.cluster().worker(0))) {
            assertThat(ListeningSockets.of(service.pid()))
                    .as("addresses on which %s listens", service.name())
                    .allMatch(InetAddress::isLoopbackAddress);
        }
        assertThat(ListeningSockets.of(scheduler.pid())).isNotEmpty();
        assertThat(scheduler.output()).contains("only this machine reaches", "--grpc-host", "MILLRACE_GRPC_HOST");
        assertThat(ListeningSockets.of(gateway.pid())).isNotEmpty();
        assertThat(gateway.output()).contains("only this machine reaches", "--http-host", "MILLRACE_HTTP_HOST");
    }
}
