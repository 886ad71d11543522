package shop;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;

/** An order, as the client sends it and the handler receives it. */
record Order(int number, LocalDate ordered, List<BigDecimal> prices) {}
