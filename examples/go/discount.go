package inner

import "fmt"

type item struct {
	Name  string  `json:"name"`
	Price float64 `json:"price"`
}

func main(items []item, percent *float64) (map[string]float64, error) {
	if len(items) == 0 {
		return nil, fmt.Errorf("there are no items")
	}
	factor := 1.0
	if percent != nil {
		factor -= *percent / 100
	}
	prices := map[string]float64{}
	for _, one := range items {
		fmt.Println(one.Name)
		prices[one.Name] = one.Price * factor
	}
	return prices, nil
}
