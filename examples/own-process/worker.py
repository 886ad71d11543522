"""Two handlers that run in this process, and not in one of Millrace's."""

import asyncio
import logging
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from millrace.worker import HandlerContext, NonRetryableError, Worker

worker = Worker(slots=4)


@dataclass
class Order:
    number: int
    ordered: date
    prices: list[Decimal]


@dataclass
class Priced:
    total: Decimal
    due: date


@worker.job("orders.price")
def price(order: Order, ctx: HandlerContext) -> Priced:
    if not order.prices:
        raise NonRetryableError(f"The order {order.number} is empty: add an item.")
    ctx.log(f"{len(order.prices)} items")
    return Priced(total=sum(order.prices, Decimal()), due=order.ordered + timedelta(days=3))


@worker.job("orders.ship")
async def ship(number: int, due: date) -> str:
    await asyncio.sleep(0.01)  # Here a real handler would call a carrier.
    return f"parcel {number}, due on {due:%d %B}"


if __name__ == "__main__":
    logging.basicConfig(level="INFO")
    worker.run()
