-- :region (text) = 'north'
create table if not exists sales (region text, amount real);
insert into sales values (:region, :amount);
select region, sum(amount) as total from sales group by region order by region;
