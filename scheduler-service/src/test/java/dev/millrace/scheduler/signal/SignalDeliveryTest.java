package dev.millrace.scheduler.signal;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.signal.core.RunSignal.Address;
import dev.millrace.scheduler.signal.core.SignalKind;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SignalDeliveryTest {
    @Test
    void reportsThatTheDatabaseIsUnavailable() {
        MillraceException away = new MillraceException(ErrorCode.DATABASE_UNAVAILABLE, "The database does not answer.");
        IdSource ids = new IdSource(System::currentTimeMillis, new Random(1));
        SignalDelivery delivery = new SignalDelivery((_, _) -> CompletableFuture.failedFuture(away), ids);

        assertThatThrownBy(() -> delivery.send(
                        ids.nextRun(),
                        new Address.Name("go"),
                        new SignalDelivery.Message(SignalKind.RESUME, Json.NULL, "", "")))
                .isSameAs(away);
    }
}
