#include <algorithm>

#include "common/error.hpp"
#include "storage/tpch/table_columns.hpp"

namespace saccade::tpch {
namespace {

constexpr std::uint32_t kDateSeed = 1066728069, kLineCountSeed = 1434868289, kCustomerSeed = 851767375,
                        kPrioritySeed = 591449447, kClerkSeed = 1171034773, kOrderCommentSeed = 276090261;
constexpr std::uint32_t kQuantitySeed = 209208115, kDiscountSeed = 554590007, kTaxSeed = 721958466, kPartSeed = 1808217256,
                        kSupplierSeed = 2095021727, kShipSeed = 1769349045, kCommitSeed = 904914315, kReceiptSeed = 373135028,
                        kReturnSeed = 717419739, kInstructionSeed = 1371272478, kModeSeed = 675466456,
                        kLineCommentSeed = 1095462486;
constexpr int kOrderCommentLength = 49, kLineCommentLength = 27;
constexpr int kMostLines = 7;
constexpr std::int64_t kFirstDay = 8035;    // 1992-01-01
constexpr std::int64_t kLastDay = 10440;    // 1998-08-02: the last line is received within 1998
constexpr std::int64_t kCurrentDay = 9298;  // 1995-06-17
constexpr std::int64_t kNotReturned = 2;    // in return_flags()
enum LineStatus : std::int64_t { kFinished, kOpen };
enum OrderStatus : std::int64_t { kAllFinished, kAllOpen, kPartlyFinished };

UnitRange without_lines(const UnitRange& lines) {
  return UnitRange::of_rows(lines.first, lines.units);
}

// Of 32 keys the first eight are used.
std::int64_t order_key(std::int64_t order) {
  const std::int64_t number = order + 1;
  return number / 8 * 32 + number % 8;
}

// Every third customer has no orders.
std::vector<std::int64_t> draw_customers(const UnitRange& orders, const Scale& scale) {
  const std::int64_t last = scale.customers();
  std::vector<std::int64_t> customers = draw_keys(orders, {kCustomerSeed}, scale.wide_keys(), last);
  for (std::int64_t& customer : customers) {
    for (std::int64_t step = 1; customer % 3 == 0; step = -step) customer = std::min(customer + step, last);
  }
  return customers;
}

// Columns of lines that others are made of, each made when it is first asked for.
class Lines {
 public:
  Lines(const Scale& scale, const UnitRange& range) : scale_(scale), range_(range) {}

  const UnitRange& range() const { return range_; }

  const std::vector<std::int64_t>& parts() {
    if (parts_.empty()) parts_ = draw_keys(range_, {kPartSeed}, scale_.wide_keys(), scale_.parts());
    return parts_;
  }
  // By order.
  const std::vector<std::int64_t>& order_dates() {
    if (order_dates_.empty()) order_dates_ = draw_uniform(without_lines(range_), {kDateSeed}, kFirstDay, kLastDay);
    return order_dates_;
  }
  const std::vector<std::int64_t>& ship_dates() {
    if (ship_dates_.empty()) ship_dates_ = days_after_order(kShipSeed, 1, 121);
    return ship_dates_;
  }
  const std::vector<std::int64_t>& receipt_dates() {
    if (receipt_dates_.empty()) {
      receipt_dates_ = draw_uniform(range_, {kReceiptSeed}, 1, 30);
      add(ship_dates(), receipt_dates_);
    }
    return receipt_dates_;
  }
  std::vector<std::int64_t> commit_dates() { return days_after_order(kCommitSeed, 30, 90); }
  std::vector<std::int64_t> quantities() const { return draw_uniform(range_, {kQuantitySeed}, 1, 50); }
  std::vector<std::int64_t> discounts() const { return draw_uniform(range_, {kDiscountSeed}, 0, 10); }
  std::vector<std::int64_t> taxes() const { return draw_uniform(range_, {kTaxSeed}, 0, 8); }

  std::vector<std::int64_t> suppliers() {
    std::vector<std::int64_t> which = draw_uniform(range_, {kSupplierSeed}, 0, 3);
    const std::int64_t suppliers = scale_.suppliers();
    for (std::size_t row = 0; row < which.size(); ++row) which[row] = supplier_of_part(parts()[row], which[row], suppliers);
    return which;
  }
  // Cents.
  std::vector<std::int64_t> extended_prices() {
    std::vector<std::int64_t> prices = quantities();
    for (std::size_t row = 0; row < prices.size(); ++row) prices[row] *= retail_price(parts()[row]);
    return prices;
  }
  // A line that has been received was returned or accepted, by chance: one draw for each such line.
  std::vector<std::int64_t> return_flags() {
    const std::int64_t* received = receipt_dates().data();
    return draw_numbers(range_, {kReturnSeed}, [received](RandomStream& random, std::int64_t, int) mutable {
      return *received++ <= kCurrentDay ? random.draw(0, 1) : kNotReturned;
    });
  }
  std::vector<std::int64_t> statuses() {
    std::vector<std::int64_t> result = ship_dates();
    for (std::int64_t& day : result) day = day <= kCurrentDay ? kFinished : kOpen;
    return result;
  }

 private:
  static void add(const std::vector<std::int64_t>& more, std::vector<std::int64_t>& numbers) {
    for (std::size_t row = 0; row < numbers.size(); ++row) numbers[row] += more[row];
  }
  std::vector<std::int64_t> days_after_order(std::uint32_t seed, std::int64_t least, std::int64_t most) {
    const std::vector<std::int64_t>& ordered = order_dates();
    return draw_numbers(range_, {seed}, [&, least, most](RandomStream& random, std::int64_t order, int) {
      return ordered[static_cast<std::size_t>(order - range_.first)] + random.draw(least, most);
    });
  }

  const Scale& scale_;
  const UnitRange& range_;
  std::vector<std::int64_t> parts_, order_dates_, ship_dates_, receipt_dates_;
};

// Cents; discount and tax are each rounded down per line, as dbgen does.
std::vector<std::int64_t> total_prices(Lines& lines) {
  const std::vector<std::int64_t> prices = lines.extended_prices(), discounts = lines.discounts(), taxes = lines.taxes();
  std::vector<std::int64_t> totals;
  std::size_t row = 0;
  for (const std::uint8_t count : lines.range().unit_rows) {
    std::int64_t total = 0;
    for (const std::size_t end = row + count; row < end; ++row)
      total += prices[row] * (100 - discounts[row]) / 100 * (100 + taxes[row]) / 100;
    totals.push_back(total);
  }
  return totals;
}

std::vector<std::int64_t> order_status_places(Lines& lines) {
  const std::vector<std::int64_t> line_status = lines.statuses();
  std::vector<std::int64_t> result;
  std::size_t row = 0;
  for (const std::uint8_t count : lines.range().unit_rows) {
    std::int64_t open = 0;
    for (const std::size_t end = row + count; row < end; ++row) open += line_status[row] == kOpen ? 1 : 0;
    result.push_back(open == 0 ? kAllFinished : open == count ? kAllOpen : kPartlyFinished);
  }
  return result;
}

GeneratedColumn orders_column(const Scale& scale, const UnitRange& orders, Lines& lines, int column) {
  switch (column) {
    case 0:
      return number_column(compute_numbers(orders, [](std::int64_t order, int) { return order_key(order); }));
    case 1:
      return number_column(draw_customers(orders, scale));
    case 2:
      return choice_column(order_statuses(), order_status_places(lines));
    case 3:
      return number_column(total_prices(lines));
    case 4:
      return number_column(lines.order_dates());
    case 5:
      return drawn_choice_column(orders, {kPrioritySeed}, order_priorities());
    case 6:
      return numbered_column("Clerk#", draw_uniform(orders, {kClerkSeed}, 1, scale.clerks()));
    case 7:
      return number_column(std::vector<std::int64_t>(static_cast<std::size_t>(orders.rows)));
    default:
      SACCADE_CHECK(column == 8);
      return comment_column(orders, kOrderCommentSeed, kOrderCommentLength);
  }
}

GeneratedColumn lineitem_column(Lines& lines, int column) {
  const UnitRange& range = lines.range();
  switch (column) {
    case 0:
      return number_column(compute_numbers(range, [](std::int64_t order, int) { return order_key(order); }));
    case 1:
      return number_column(lines.parts());
    case 2:
      return number_column(lines.suppliers());
    case 3:
      return number_column(compute_numbers(range, [](std::int64_t, int line) { return line + 1; }));
    case 4: {
      std::vector<std::int64_t> quantities = lines.quantities();
      for (std::int64_t& quantity : quantities) quantity *= 100;
      return number_column(std::move(quantities));
    }
    case 5:
      return number_column(lines.extended_prices());
    case 6:
      return number_column(lines.discounts());
    case 7:
      return number_column(lines.taxes());
    case 8:
      return choice_column(return_flags(), lines.return_flags());
    case 9:
      return choice_column(line_statuses(), lines.statuses());
    case 10:
      return number_column(lines.ship_dates());
    case 11:
      return number_column(lines.commit_dates());
    case 12:
      return number_column(lines.receipt_dates());
    case 13:
      return drawn_choice_column(range, {kInstructionSeed}, ship_instructions());
    case 14:
      return drawn_choice_column(range, {kModeSeed}, ship_modes());
    default:
      SACCADE_CHECK(column == 15);
      return comment_column(range, kLineCommentSeed, kLineCommentLength);
  }
}

}  // namespace

UnitRange order_lines(std::int64_t first, std::int64_t orders) {
  UnitRange lines{first, orders, kMostLines, {}, 0};
  lines.unit_rows.reserve(static_cast<std::size_t>(orders));
  for (const std::int64_t count : draw_uniform(UnitRange::of_rows(first, orders), {kLineCountSeed}, 1, kMostLines)) {
    lines.unit_rows.push_back(static_cast<std::uint8_t>(count));
    lines.rows += count;
  }
  return lines;
}

std::vector<GeneratedColumn> orders_columns(const Scale& scale, const UnitRange& lines, ColumnNumbers columns) {
  const UnitRange orders = without_lines(lines);
  Lines made(scale, lines);
  std::vector<GeneratedColumn> result;
  for (const int column : columns) result.push_back(orders_column(scale, orders, made, column));
  return result;
}

std::vector<GeneratedColumn> lineitem_columns(const Scale& scale, const UnitRange& lines, ColumnNumbers columns) {
  Lines made(scale, lines);
  std::vector<GeneratedColumn> result;
  for (const int column : columns) result.push_back(lineitem_column(made, column));
  return result;
}

}  // namespace saccade::tpch
