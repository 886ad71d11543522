package dev.millrace.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListeningTest {
    private static final Listening LISTENING =
            new Listening("The gateway serves HTTP", "--http-host", "MILLRACE_HTTP_HOST");

    @ParameterizedTest
    @CsvSource({"127.0.0.1, 127.0.0.1:8400", "localhost, localhost:8400", "::1, [::1]:8400"})
    void saysHowToOpenAServiceThatOnlyThisMachineReaches(String host, String address) {
        assertThat(LISTENING.line(host, 8400))
                .startsWith("The gateway serves HTTP on " + address + ", which only this machine reaches.")
                .contains("--http-host or MILLRACE_HTTP_HOST", "TLS and a token");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.1"})
    void saysOfAnAddressThatOtherMachinesReachIt(String host) {
        assertThat(LISTENING.line(host, 8400)).contains("Other machines reach this address, with a token", "127.0.0.1");
    }
}
