package shop;

import dev.millrace.client.MillraceClient;
import dev.millrace.client.Target;
import dev.millrace.worker.Worker;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;

/** Starts the handlers, and runs one of them. A real program has them in two processes. */
public final class Shop {
    private Shop() {}

    public static void main(String[] arguments) {
        String target = System.getenv().getOrDefault("MILLRACE_SCHEDULER_TARGET", "localhost:8401");
        Order order = new Order(
                17, LocalDate.of(2026, 11, 25), List.of(new BigDecimal("19.99"), new BigDecimal("5.01")));
        try (Worker worker = Handlers.start(target);
                MillraceClient client = MillraceClient.builder().target(target).build()) {
            System.out.println(client.run(Target.handler("shop.price"), order, Price.class));
        }
    }
}
