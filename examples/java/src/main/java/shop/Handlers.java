package shop;

import dev.millrace.worker.JobContext;
import dev.millrace.worker.JobException;
import dev.millrace.worker.Worker;
import java.math.BigDecimal;

/** Handlers of the shop. */
final class Handlers {
    private Handlers() {}

    static Worker start(String target) {
        return Worker.connect(target).slots(4).handle("shop.price", Handlers::price).start();
    }

    private static Price price(JobContext context) {
        Order order = context.inputAs(Order.class);
        if (order.prices().isEmpty()) {
            throw new JobException("EmptyOrder", "The order " + order.number() + " is empty: add an item.", false);
        }
        context.log(order.prices().size() + " items");
        BigDecimal total = order.prices().stream().reduce(BigDecimal.ZERO, BigDecimal::add);
        return new Price(total, order.ordered().plusDays(3));
    }
}
