package dev.millrace.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.FakeGateway;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.definition.Preparation;
import java.net.URI;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class PreparationsTest {
    @AutoClose
    private final FakeGateway gateway = FakeGateway.start();

    @AutoClose
    private final MillraceClient client = new MillraceClient(URI.create(gateway.url()));

    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    @AutoClose
    private final Preparations preparations = new Preparations(client, told::add);

    @Test
    void tellsWhatIsWrongWithWhatWasDeployed() throws InterruptedException {
        ends("r1", "succeeded", "");
        ends("r2", "failed", "a.ts:1:2 is no number");

        preparations.follow(List.of(new Preparation("a.ts", "r1"), new Preparation("a.ts", "r2")));

        assertThat(told.poll(30, TimeUnit.SECONDS)).isEqualTo("a.ts: a.ts:1:2 is no number");
        assertThat(told).isEmpty();
    }

    @Test
    void isSilentAboutWhatWasDeployedAgain() throws InterruptedException {
        ends("r2", "failed", "new");

        preparations.follow(List.of(new Preparation("b.ts", "r1")));
        preparations.follow(List.of(new Preparation("b.ts", "r2")));

        assertThat(told.poll(30, TimeUnit.SECONDS)).isEqualTo("b.ts: new");
    }

    private void ends(String run, String state, String message) {
        String ended = "{\"id\": \"" + run + "\", \"state\": \"" + state
                + "\", \"error\": {\"name\": \"LoadError\", \"message\": \"" + message + "\"}}";
        gateway.onStream("GET /runs/" + run + "/events", "run", ended, "end", "{}")
                .on("GET /runs/" + run, 200, ended);
    }
}
