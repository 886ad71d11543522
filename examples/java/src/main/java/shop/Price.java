package shop;

import java.math.BigDecimal;
import java.time.LocalDate;

/** What an order costs, and when it is due. */
record Price(BigDecimal total, LocalDate due) {}
